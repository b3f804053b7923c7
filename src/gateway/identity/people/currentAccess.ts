/** The current access of a person, for work that goes on after their request. */
import { accessOfPerson, accessOfToken, fullAccess, type Access } from '../access/access.ts'
import type { People } from './people.ts'
import type { Tokens } from './tokens.ts'

export class CurrentAccess {
  readonly #people: People
  readonly #tokens: Tokens

  constructor(people: People, tokens: Tokens) {
    this.#people = people
    this.#tokens = tokens
  }

  /** @returns undefined for somebody who may not use the console any more */
  async accessOf(principal: string | null): Promise<Access | undefined> {
    if (principal === null) return fullAccess
    const [kind, id = ''] = principal.split(' ')
    const token = kind === 'token' ? await this.#tokens.get(id) : undefined
    if (kind === 'token' && !token) return undefined
    const person = await this.#people.present(token?.personId ?? id)
    if (!person) return undefined
    return token ? accessOfToken(token.id, person.id, person, token) : accessOfPerson(person.id, person)
  }
}
