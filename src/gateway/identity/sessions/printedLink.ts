/** The sign-in link that a console prints at its start. Once it was used, on whichever console, there is a new one. */
import type { SignInLinks } from '../people/signInLinks.ts'

interface LinkDependencies {
  links: SignInLinks
  /** The ID of this console. */
  consoleId: string
  /** Called with the token of each new link. @throws if it cannot be shown */
  onNew: (token: string) => void
  onError: (error: unknown) => void
}

export class PrintedLink {
  #current = ''
  /** A sign-in and the timer may find the link used at the same time. */
  #last: Promise<void> = Promise.resolve()
  readonly #dependencies: LinkDependencies

  constructor(dependencies: LinkDependencies) {
    this.#dependencies = dependencies
  }

  get token(): string {
    return this.#current
  }

  /** Makes the first link, or a new one in the place of a used one. @throws notStored or unavailable */
  async renew(): Promise<void> {
    const { links, consoleId, onNew, onError } = this.#dependencies
    this.#current = await links.forConsole(consoleId)
    try {
      onNew(this.#current)
    } catch (error) {
      // The sign-in that used the old link succeeds even if the next link cannot be stored.
      onError(error)
    }
  }

  /** Makes a new link if the current one was used. A failure is repaired by a later call. */
  renewIfUsed(): Promise<void> {
    this.#last = this.#last.then(() => this.#checkAndRenew())
    return this.#last
  }

  async #checkAndRenew(): Promise<void> {
    try {
      if (!(await this.#dependencies.links.isOpen(this.#current))) await this.renew()
    } catch (error) {
      this.#dependencies.onError(error)
    }
  }
}
