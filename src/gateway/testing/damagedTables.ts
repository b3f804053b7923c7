/** For specs: a sound and a damaged row of each table, and what the store makes of them. */
import type { Database } from '../database/database.ts'
import { SealedJson } from '../database/sealedJson.ts'
import { SharedList } from '../database/sharedList.ts'
import type { StoredTable } from '../database/storedTables.ts'
import { OwnWrites } from '../consoles/ownWrites.ts'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { ApprovalStore } from '../approvals/approvalStore.ts'
import { Notices } from '../approvals/notices.ts'
import type { Egress } from '#node/upstream/egressGuard.ts'
import { AuditStore, type NewAuditEntry } from '../audit/auditStore.ts'
import { RotationStore } from '../apiKeys/rotationStore.ts'
import { RequestStore } from '../changeRequests/requestStore.ts'
import { ChangeStore, type NewChange } from '../history/changeStore.ts'
import { RecordStateStore } from '../history/recordStateStore.ts'
import { Versions } from '../history/versions.ts'
import { Identities } from '../oidc/identities.ts'
import { ProviderSessions } from '../oidc/providerSessions.ts'
import { Passkeys } from '../passkeys/passkeys.ts'
import { People } from '../people/people.ts'
import { Tokens } from '../people/tokens.ts'
import { SharedWrites } from '../resources/sharedWrites.ts'
import { LinkStore } from '../runs/linkStore.ts'
import { RunStore } from '../runs/runStore.ts'
import { SharedSamples } from '../sampling/sharedSamples.ts'
import { sessionIdOf, Sessions } from '../sessions/sessions.ts'
import { z } from 'zod'
import { currentTime } from '#node/clock/wallClock.ts'

export interface DamagedTable {
  /** Adds the rows. */
  plant(): Promise<unknown>
  /** `SET` and `WHERE` of the statement that damages one of them. */
  damage: string
  /** What the store reads of both. */
  read(): Promise<unknown>
  expected: unknown
  /** A column of a server has text only: there, such a row cannot be damaged. */
  onlyInFiles?: true
}

const at = new Date(currentTime()).toISOString()
const none = async () => {}
const both = ['sound', 'damaged'] as const
/** What a text column of a file takes, and no reader expects. */
const bytes = "X'00ff'"

const entry: NewAuditEntry = {
  actor: 'A',
  personId: null,
  address: null,
  event: 'alerts.update',
  connectionId: null,
  subject: null,
  outcome: 'done',
  status: 200,
  reason: null,
  request: 'r',
  begun: null,
  changes: [],
}

const change: NewChange = {
  deployment: 'd',
  origin: 'o',
  connectionId: 'c',
  kind: 'alerts',
  recordId: 'r',
  name: '',
  action: 'updated',
  cause: 'console',
  at,
  outcome: 'done',
}

/** All tables that are read with `StoredRows`. */
export function damagedTables(database: Database): Record<StoredTable, DamagedTable> {
  const sealed = new SealedJson(Buffer.alloc(32, 7))
  const own = new OwnWrites(database)
  const people = new People(database)
  const requests = new RequestStore(own, sealed)
  const approvals = new ApprovalStore(own, sealed)
  const runs = new RunStore(own, sealed)
  const links = new LinkStore(database, sealed)
  const rotations = new RotationStore(own, sealed)
  const audit = new AuditStore(database)
  const changes = new ChangeStore(own)
  const states = new RecordStateStore(own)
  const versions = new Versions(database, sealed)
  const identities = new Identities(database, [], 60_000)
  const providerSessions = new ProviderSessions(database, sealed, 60_000)
  const tokens = new Tokens(database)
  const passkeys = new Passkeys(database)
  const samples = new SharedSamples(database)
  const sessions = new Sessions(database)
  const pair = { from: 'f', to: 't' }
  const writes = new SharedWrites({ database, sealed, owner: 'one', onError: (error) => Promise.reject(error) })

  const eachOf = async <T>(add: (id: (typeof both)[number]) => Promise<T>): Promise<T[]> => {
    const added: T[] = []
    for (const id of both) added.push(await add(id))
    return added
  }
  const person = (name: string) =>
    people.add({ name, email: `${name}@example.com`, role: 'viewer', roles: { c: 'operator' } })
  const request = (title: string) =>
    requests.create(
      {
        connectionId: 'c',
        title,
        reason: '',
        requesterId: 'p',
        requester: 'P',
        requesterBy: 'person p',
        need: 'write',
        expiresAt: new Date(currentTime() + 60_000).toISOString(),
        content: { kind: 'setting' },
      },
      none,
    )
  const run = (id: string) =>
    runs.create([
      {
        id,
        kind: 'restore',
        state: 'done',
        connectionId: 'c',
        startedAt: at,
        details: { actor: 'A', personId: null, continueOnFailure: false },
        place: { deployment: `v ${id}`, origin: id },
        steps: [{ key: 'k', kind: 'alerts', name: '', action: 'create', id: null, before: null, after: {} } as never], // as stored
      },
    ])
  const list = (table: 'connections' | 'record_matches'): DamagedTable => ({
    plant: () =>
      eachOf((id) =>
        database.write({
          sql: `INSERT INTO ${table} (id, position, record) VALUES (?, ?, ?)`,
          args: [id, both.indexOf(id), JSON.stringify({ id })],
        }),
      ),
    damage: `record = '{' WHERE id = 'damaged'`,
    read: async () => (await SharedList.open({ database, table, schema: z.object({ id: z.string() }) })).all(),
    expected: [{ id: 'sound' }],
  })
  let personId = ''
  const secrets: string[] = []
  const hashes: string[] = []
  const keys: string[] = []
  const failures: unknown[] = []

  return {
    api_key_rotations: {
      plant: () =>
        eachOf((id) =>
          rotations.create({
            id,
            connectionId: 'c',
            phase: 'rotate',
            state: 'running',
            done: 0,
            startedAt: at,
            details: {
              actor: 'A',
              personId: null,
              baseUrl: 'https://d.example',
              organizationId: 'o',
              oldKey: { id, name: '', suffix: '' },
              newKey: { name: '', suffix: '', expireAt: null },
              access: { ipAccessList: [] },
              pairs: null,
            },
          }),
        ),
      damage: `details = (SELECT details FROM api_key_rotations WHERE id = 'sound') WHERE id = 'damaged'`,
      read: async () => (await rotations.list()).map(({ id }) => id),
      expected: ['sound'],
    },
    approval_settings: {
      plant: () =>
        eachOf((id) =>
          approvals.enterSettings(id, { fourEyes: true, receiver: { url: 'https://r', allowPrivate: false } }, none),
        ),
      damage: `notification = 'x' WHERE connection_id = 'damaged'`,
      read: () => eachOf((id) => approvals.settings(id)),
      expected: [
        { fourEyes: true, receiver: { url: 'https://r', allowPrivate: false } },
        { fourEyes: true, receiver: null },
      ],
    },
    audit: {
      plant: () => eachOf(() => audit.append(entry)),
      damage: `changes = '{' WHERE seq = 2`,
      read: async () => [
        (await audit.list({ limit: 10 })).map(({ seq, damaged }) => [seq, damaged]),
        (await audit.verify()).fault,
      ],
      expected: [
        [
          [2, true],
          [1, undefined],
        ],
        { seq: 2, problem: 'The entry is damaged.' },
      ],
    },
    break_glass: {
      plant: () =>
        eachOf((connectionId) =>
          approvals.startBreakGlass({ connectionId, personId: null, actor: 'A', reason: '' }, none),
        ),
      damage: `actor = ${bytes} WHERE connection_id = 'damaged'`,
      onlyInFiles: true,
      read: async () => [...(await approvals.breakGlasses()).keys()],
      expected: ['sound'],
    },
    change_request_events: {
      plant: async () => {
        keys.push((await request('sound')).id)
        await requests.events.add(keys[0]!, 'commented', { text: 'damaged' }) // just added
      },
      damage: `kind = 'x' WHERE body = 'damaged'`,
      read: async () => (await requests.events.of(keys[0]!)).map(({ kind }) => kind),
      expected: ['opened'],
    },
    change_request_outcomes: {
      plant: async () => {
        keys.push((await request('sound')).id)
        await eachOf((key) => requests.outcomes.set(keys[0]!, key, 'done'))
      },
      damage: `state = 'x' WHERE change_key = 'damaged'`,
      read: async () => new Map((await requests.outcomes.of(keys[0]!)).map(({ key, state }) => [key, state])),
      expected: new Map([
        ['sound', 'done'],
        ['damaged', 'unknown'],
      ]),
    },
    change_requests: {
      plant: () => eachOf(request),
      damage: `need = 'x' WHERE title = 'damaged'`,
      read: async () => {
        const found = await requests.list({ limit: 1 })
        await requests.expire(none)
        return found.map(({ title }) => title)
      },
      expected: ['sound'],
    },
    changes: {
      plant: () => eachOf((name) => changes.write(changes.insert({ ...change, name }))),
      damage: `cause = 'x' WHERE name = 'damaged'`,
      read: async () => (await changes.list('d', { limit: 1 })).map(({ name }) => name),
      expected: ['sound'],
    },
    connections: list('connections'),
    record_matches: list('record_matches'),
    identities: {
      plant: async () => {
        personId = (await person('p')).id
        const more = { issuer: 'i', personId, groups: [] }
        await eachOf((provider) => identities.connect({ ...more, provider, subject: provider }))
      },
      damage: `group_names = '[' WHERE provider = 'damaged'`,
      read: async () => (await identities.of(personId)).map(({ provider }) => provider),
      expected: ['sound'],
    },
    links: {
      plant: () => eachOf((record) => database.write(links.link(pair, record, { id: record, base: { a: 1 } }))),
      damage: `base = (SELECT base FROM links WHERE record = 'sound') WHERE record = 'damaged'`,
      read: () => links.links(pair),
      expected: new Map([
        ['sound', { id: 'sound', base: { a: 1 } }],
        ['damaged', { id: 'damaged', base: undefined }],
      ]),
    },
    mappings: {
      plant: () => links.remember(pair, new Map(both.map((id) => [id, { to: id }]))),
      damage: `choice = '{' WHERE reference = 'damaged'`,
      read: () => links.mappings(pair),
      expected: new Map([['sound', { to: 'sound' }]]),
    },
    passkeys: {
      plant: async () => {
        personId = (await person('p')).id
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
    people: {
      plant: async () => (await eachOf(person)).map(({ id }) => keys.push(id)),
      damage: `roles = '{', state = 'active' WHERE name = 'damaged'`,
      read: async () => [
        (await people.list()).map(({ name }) => name),
        await people.present(keys[1]!),
        await people.byEmail('damaged@example.com'),
      ],
      expected: [['sound'], undefined, undefined],
    },
    personal_tokens: {
      plant: async () => {
        personId = (await person('p')).id
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
    records: {
      plant: () =>
        eachOf((id) => {
          const record = { id, name: id, hash: 'h', keyframe: 'h', goneAt: null, changed: null }
          return database.write(...states.put('d', 'alerts', record, at))
        }),
      damage: `name = ${bytes} WHERE id = 'damaged'`,
      onlyInFiles: true,
      read: async () => [...(await states.known('d', 'alerts')).keys()],
      expected: ['sound'],
    },
    run_steps: {
      plant: () => eachOf(run),
      damage: `step = (SELECT step FROM run_steps WHERE run_id = 'sound') WHERE run_id = 'damaged'`,
      read: async () => [
        (await runs.steps('sound')).map(({ state }) => state),
        await runs.steps('damaged').catch(({ name }: Error) => name),
      ],
      expected: [['waiting'], 'DamagedRow'],
    },
    runs: {
      plant: () => eachOf(run),
      damage: `details = (SELECT details FROM runs WHERE id = 'sound') WHERE id = 'damaged'`,
      read: async () => [
        (await runs.list(1)).map(({ id }) => id),
        await runs.get('damaged').catch(({ name }: Error) => name),
      ],
      expected: [['sound'], 'DamagedRow'],
    },
    samples: {
      plant: () =>
        eachOf((id) => {
          const at = currentTime() - both.indexOf(id)
          const scrape = { at, pace: both.indexOf(id), pipes: new Map(), services: new Map() }
          return samples.add({ connectionId: 'c', revision: 'r' }, scrape)
        }),
      damage: 'bytes = substr(bytes, 1, 3) WHERE pace = 1',
      read: async () => (await samples.after({ connectionId: 'c', revision: 'r' }, 0)).map(({ pace }) => pace),
      expected: [0],
    },
    sent_writes: {
      plant: async () => {
        await database.write({ sql: "INSERT INTO consoles (id, beat) VALUES ('one', 0)" })
        await eachOf((id) => writes.once(id, id, async () => ({ result: id })))
      },
      damage: `outcome = (SELECT outcome FROM sent_writes WHERE fingerprint = 'sound') WHERE fingerprint = 'damaged'`,
      read: () =>
        eachOf((id) =>
          writes
            .once(id, id, async () => ({ result: 'again' }))
            .then(
              ({ result }) => result,
              ({ error }) => error.code,
            ),
        ),
      expected: ['sound', 'outcomeUnknown'],
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
    versions: {
      plant: () =>
        eachOf(async (name) => {
          const version = versions.of('alerts', { name, text: 'x'.repeat(100) })
          hashes.push(version.hash)
          await database.write((await versions.store(version, undefined)).statement)
        }),
      damage: `bytes = substr(bytes, 1, 20) WHERE base IS NULL AND hash <> (SELECT min(hash) FROM versions)`,
      read: async () => {
        const [whole = '', cut = ''] = hashes.toSorted()
        const fresh = new Versions(database, sealed)
        const next = await fresh.store(versions.of('alerts', { name: 'next', text: 'x'.repeat(100) }), cut)
        return [
          typeof (await fresh.read(whole)),
          await fresh.read(cut).catch(({ name }: Error) => name),
          next.keyframe === cut,
        ]
      },
      expected: ['object', 'DamagedRow', false],
    },
    approval_notices: {
      plant: async () => {
        await database.write({ sql: "INSERT INTO consoles (id, beat) VALUES ('one', 0)" })
        await eachOf((id) =>
          database.write({
            sql: `INSERT INTO approval_notices (id, connection_id, event, at, next_at, state, attempts, sealed)
              VALUES (?, 'c', ?, ?, ?, ?, 0, '')`,
            args: [id, id, at, at, id === 'damaged' ? 'waiting' : 'sent'],
          }),
        )
      },
      damage: `sealed = 'x' WHERE id = 'damaged'`,
      read: async () => {
        const presence = { isSure: true, ownWrites: new OwnWrites(database, 'one') }
        const onError = (error: unknown) => void failures.push(error)
        const notices = new Notices({ presence, sealed, egress: noEgress, retries: [], onError })
        const waiting = "SELECT 1 FROM approval_notices WHERE state = 'waiting'"
        for (let turn = 0; turn < 1_000 && (await database.rows(waiting)).length > 0; turn++) await nextTurn()
        const deliveries = await notices.deliveries('c')
        await notices.close()
        return [failures, new Map(deliveries.map(({ event, state }) => [event, state]))]
      },
      expected: [
        [],
        new Map([
          ['sound', 'sent'],
          ['damaged', 'failed'],
        ]),
      ],
    },
  }
}

/** Nothing is sent. */
const noEgress: Egress = {
  agent: () => {
    throw new Error('a notification was sent')
  },
  close: none,
}
