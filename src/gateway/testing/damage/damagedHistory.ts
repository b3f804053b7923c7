/** For specs: damaged rows of the audit log and the history. */
import { AuditStore, type NewAuditEntry } from '../../audit/auditStore.ts'
import { OwnWrites } from '../../cluster/ownWrites.ts'
import type { Database } from '../../database/database.ts'
import { SealedJson } from '../../database/sealedJson.ts'
import { ChangeStore, type NewChange } from '../../history/changeStore.ts'
import { RecordStateStore } from '../../history/recordStateStore.ts'
import { Versions } from '../../history/versions.ts'
import { at, bytes, eachOf, type DamagedTable } from './damagedTable.ts'

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

export function damagedHistory(database: Database) {
  const sealed = new SealedJson(Buffer.alloc(32, 7))
  const own = new OwnWrites(database)
  const audit = new AuditStore(database)
  const changes = new ChangeStore(own)
  const states = new RecordStateStore(own)
  const versions = new Versions(database, sealed)
  const hashes: string[] = []

  return {
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
    changes: {
      plant: () => eachOf((name) => changes.write(changes.insert({ ...change, name }))),
      damage: `cause = 'x' WHERE name = 'damaged'`,
      read: async () => (await changes.list('d', { limit: 1 })).map(({ name }) => name),
      expected: ['sound'],
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
  } satisfies Record<string, DamagedTable>
}
