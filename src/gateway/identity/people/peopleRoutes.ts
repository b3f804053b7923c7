/** The API of people, for administrators of the console. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { pathId } from '#contract/wire/kernel.ts'
import { disabledChange, personInput, type Invited, type ListedPerson, type Person } from '#contract/console/people.ts'
import { peoplePaths } from '#contract/console/peoplePaths.ts'
import { failure } from '#node/upstream/apiFailure.ts'
import { parsed } from '../../http/requests.ts'
import type { People } from './people.ts'
import type { SignInLinks } from './signInLinks.ts'
import type { Tokens } from './tokens.ts'

export interface PeopleDependencies {
  people: People
  links: SignInLinks
  tokens: Tokens
  /** The number of sessions of each person who has any. */
  sessionCounts(): Promise<Map<string, number>>
  /** Ends the sessions of a person, but for the one with this key. */
  endSessions(personId: string, exceptKey?: string): Promise<void>
  /** The URL of the console, for links. */
  consoleUrl(): string
}

const params = z.object({ personId: pathId })
const personOf = (request: FastifyRequest) => parsed(params, request.params, 'The ID of the person').personId

export function registerPeople(app: FastifyInstance, parts: PeopleDependencies): void {
  const { people } = parts
  const url = (path: string) => path.replaceAll(/\{(\w+)\}/g, ':$1')

  app.get(peoplePaths.people, (request) => listPeople(parts, request))
  app.post(peoplePaths.people, (request) => add(parts, request))
  app.put(url(peoplePaths.person), (request) =>
    people.update(personOf(request), parsed(personInput, request.body, 'The person')),
  )
  app.delete(url(peoplePaths.person), (request) => removePerson(parts, personOf(request)))
  app.put(url(peoplePaths.personDisabled), (request) => setDisabled(parts, request))
  app.post(url(peoplePaths.personInvitation), (request) => inviteAgain(parts, personOf(request)))
}

async function listPeople(parts: PeopleDependencies, { person: caller }: FastifyRequest): Promise<ListedPerson[]> {
  const [people, tokens, sessions] = await Promise.all([
    parts.people.list(),
    parts.tokens.counts(),
    parts.sessionCounts(),
  ])
  return people.map((person) => ({
    ...person,
    sessions: sessions.get(person.id) ?? 0,
    tokens: tokens.get(person.id) ?? 0,
    current: person.id === caller?.id,
  }))
}

async function add(parts: PeopleDependencies, request: FastifyRequest): Promise<Invited> {
  return invite(parts, await parts.people.add(parsed(personInput, request.body, 'The person')))
}

/** With all that belongs to the account. @throws conflict for the last administrator */
export async function removePerson({ people, tokens, links, endSessions }: PeopleDependencies, id: string) {
  await people.remove(id)
  await tokens.revokeAll(id)
  await links.revoke(id)
  await endSessions(id)
  return {}
}

async function inviteAgain(parts: PeopleDependencies, id: string): Promise<Invited> {
  const person = await parts.people.known(id)
  if (person.state === 'disabled') throw failure('blocked', 'This account is disabled. Enable it first.')
  return invite(parts, person)
}

async function setDisabled(
  { people, links, endSessions }: PeopleDependencies,
  request: FastifyRequest,
): Promise<Person> {
  const { disabled } = parsed(disabledChange, request.body, 'The change')
  const person = await people.setDisabled(personOf(request), disabled)
  if (disabled) {
    await links.revoke(person.id)
    await endSessions(person.id)
  }
  return person
}

async function invite({ links, consoleUrl }: PeopleDependencies, person: Person): Promise<Invited> {
  const { token, expiresAt } = await links.invite(person.id)
  return { person, link: `${consoleUrl()}/sign-in#invitation=${token}`, expiresAt }
}
