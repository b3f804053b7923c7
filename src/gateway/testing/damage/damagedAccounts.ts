/** For specs: damaged rows of accounts and of the ways to sign in. */
import type { Database } from '../../database/database.ts'
import { SealedJson } from '../../database/sealedJson.ts'
import { Identities } from '../../identity/oidc/identities.ts'
import { ProviderSessions } from '../../identity/oidc/providerSessions.ts'
import { Passkeys } from '../../identity/passkeys/passkeys.ts'
import { People } from '../../identity/people/people.ts'
import { Tokens } from '../../identity/people/tokens.ts'
import { SavedStatements } from '../../savedStatements/savedStatements.ts'
import { SharedLinkStore } from '../../sharedLinks/sharedLinkStore.ts'
import { sessionIdOf, Sessions } from '../../identity/sessions/sessions.ts'
import { bytes, eachOf, type DamagedTable } from './damagedTable.ts'

export function damagedAccounts(database: Database) {
  return { ...damagedPeople(database), ...damagedSignIns(database), ...damagedKept(database) }
}

function damagedPeople(database: Database) {
  const people = new People(database)
  const keys: string[] = []
  return {
    people: {
      plant: async () => (await eachOf((name) => addPerson(people, name))).map(({ id }) => keys.push(id)),
      damage: `roles = '{', state = 'active' WHERE name = 'damaged'`,
      read: async () => [
        (await people.list()).map(({ name }) => name),
        await people.present(keys[1]!),
        await people.byEmail('damaged@example.com'),
      ],
      expected: [['sound'], undefined, undefined],
    },
  } satisfies Record<string, DamagedTable>
}

/** The ways in which people sign in, and their sessions. */
function damagedSignIns(database: Database) {
  const people = new People(database)
  const identities = new Identities(database, [], 60_000)
  const providerSessions = new ProviderSessions(database, new SealedJson(Buffer.alloc(32, 7)), 60_000)
  const tokens = new Tokens(database)
  const passkeys = new Passkeys(database)
  const sessions = new Sessions(database)
  let personId = ''
  const secrets: string[] = []
  const keys: string[] = []
  return {
    identities: {
      plant: async () => {
        personId = (await addPerson(people, 'p')).id
        const more = { issuer: 'i', personId, groups: [] }
        await eachOf((provider) => identities.connect({ ...more, provider, subject: provider }))
      },
      damage: `group_names = '[' WHERE provider = 'damaged'`,
      read: async () => (await identities.of(personId)).map(({ provider }) => provider),
      expected: ['sound'],
    },
    passkeys: {
      plant: async () => {
        personId = (await addPerson(people, 'p')).id
        const more = { publicKey: new Uint8Array([1]), counter: 0 }
        await eachOf((name) => passkeys.add(personId, name, { id: name, ...more }, false))
      },
      damage: `transports = '[' WHERE name = 'damaged'`,
      read: async () => [
        (await passkeys.of(personId)).map(({ name }) => name),
        (await passkeys.credentials(personId)).map(({ id }) => id),
        await passkeys.find('damaged'),
      ],
      expected: [['sound'], ['sound'], undefined],
    },
    personal_tokens: {
      plant: async () => {
        personId = (await addPerson(people, 'p')).id
        const input = { role: 'viewer', connections: ['c'], days: 1 } as const
        await eachOf(async (name) =>
          secrets.push((await tokens.create(personId, { ...input, connections: [...input.connections], name })).secret),
        )
      },
      damage: `connections = '[' WHERE name = 'damaged'`,
      read: async () => [(await tokens.of(personId)).map(({ name }) => name), await tokens.find(secrets[1]!)],
      expected: [['sound'], undefined],
    },
    provider_sessions: {
      plant: () =>
        eachOf((sessionId) =>
          providerSessions.add({ sessionId, provider: 'p', issuer: 'i', subject: 's', idToken: sessionId }),
        ),
      damage: `id_token = 'x' WHERE session_id = 'damaged'`,
      read: () => eachOf((id) => providerSessions.take(id)),
      expected: [{ provider: 'p', idToken: 'sound' }, undefined],
    },
    sessions: {
      plant: () => eachOf((browser) => sessions.start({ way: 'link', browser })).then((ids) => keys.push(...ids)),
      damage: `address = ${bytes} WHERE browser = 'damaged'`,
      onlyInFiles: true,
      read: async () => [
        (await sessions.listAll('')).map(({ browser }) => browser),
        await sessions.find(keys[1]),
        sessionIdOf((await sessions.find(keys[0]))?.key ?? '').length,
      ],
      expected: [['sound'], null, 32],
    },
  } satisfies Record<string, DamagedTable>
}

/** Statements that people have saved, and links that they have shared. */
function damagedKept(database: Database) {
  const links = new SharedLinkStore(database, new SealedJson(Buffer.alloc(32, 7)))
  const statements = new SavedStatements(database, new SealedJson(Buffer.alloc(32, 7)))
  const secrets: string[] = []
  return {
    saved_statements: {
      plant: () => eachOf((name) => statements.add('c', { name, text: 'SELECT 1' }, 'p')),
      damage: `statement = '' WHERE name = 'damaged'`,
      read: async () => (await statements.of('c')).map(({ name }) => name),
      expected: ['sound'],
    },
    shared_links: {
      plant: async () => {
        const content = { zone: 'utc', containers: [], tiles: [] }
        const more = { by: null, creator: 'p', dashboardId: null, isSnapshot: false, days: 1, content, result: null }
        const range = { kind: 'moving' as const, length: 60_000 }
        await eachOf(async (name) => {
          const { token } = await links.create({ ...more, range, name, connectionId: 'c', deployment: 'd' })
          secrets.push(token)
        })
      },
      damage: `shown_range = '{' WHERE name = 'damaged'`,
      read: async () => [(await links.of('c')).map(({ name }) => name), await links.byToken(secrets[1]!)],
      expected: [['sound'], undefined],
    },
  } satisfies Record<string, DamagedTable>
}

function addPerson(people: People, name: string) {
  return people.add({ name, email: `${name}@example.com`, role: 'viewer', roles: { c: 'operator' } })
}
