/** The views that links show now, in memory: one read for each link and interval, however many people look at it. */
import { failure } from '#node/upstream/apiFailure.ts'

interface CachedView {
  /** Its interval. */
  version: string
  text: Promise<string>
  /** Characters; 0 until it is read. */
  length: number
}

interface Limits {
  /** Characters of a view. */
  view: number
  /** Characters of all views that are kept. */
  all: number
  /** Links whose views are kept. */
  links: number
}

const usualLimits: Limits = { view: 4_000_000, all: 64_000_000, links: 5_000 }

export class CachedViews {
  /** In the order in which they were read. */
  readonly #views = new Map<string, CachedView>()
  #characters = 0
  readonly #limits: Limits

  constructor(limits: Limits = usualLimits) {
    this.#limits = limits
  }

  /**
   * The view of a version: `read` is called once for all who ask. A read that fails is repeated for the next one.
   * @throws tooLarge, until the interval is over: a view that is not shown must not be read again for each request
   */
  get(linkId: string, version: string, read: () => Promise<string>): Promise<string> {
    const known = this.#views.get(linkId)
    if (known?.version === version) return known.text
    const found = read()
    const text = found.then((whole) => {
      if (whole.length <= this.#limits.view) return whole
      throw failure('tooLarge', 'This link has more results than can be shown.')
    })
    const view: CachedView = { version, text, length: 0 }
    this.forget(linkId)
    this.#views.set(linkId, view)
    // The failure goes to those who wait.
    text.catch(() => undefined)
    found.then(
      (whole) => this.#keep(linkId, view, whole.length),
      () => this.#views.get(linkId) === view && this.forget(linkId),
    )
    return text
  }

  forget(linkId: string): void {
    this.#characters -= this.#views.get(linkId)?.length ?? 0
    this.#views.delete(linkId)
  }

  /** Counts a view, and forgets the oldest others where there are too many. */
  #keep(linkId: string, view: CachedView, length: number): void {
    if (this.#views.get(linkId) !== view) return
    if (length <= this.#limits.view) {
      view.length = length
      this.#characters += length
    }
    for (const oldest of this.#views.keys()) {
      if (this.#characters <= this.#limits.all && this.#views.size <= this.#limits.links) return
      if (oldest !== linkId) this.forget(oldest)
    }
  }
}
