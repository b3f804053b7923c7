/** For specs: damaged rows of runs, rotations and writes. */
import { RotationStore } from '../../apiKeys/rotationStore.ts'
import { OwnWrites } from '../../cluster/ownWrites.ts'
import type { Database } from '../../database/database.ts'
import { SealedJson } from '../../database/sealedJson.ts'
import { SharedWrites } from '../../resources/sharedWrites.ts'
import { LinkStore } from '../../changes/runs/linkStore.ts'
import { RunStore } from '../../changes/runs/runStore.ts'
import { at, both, eachOf, type DamagedTable } from './damagedTable.ts'

export function damagedRuns(database: Database) {
  const sealed = new SealedJson(Buffer.alloc(32, 7))
  const own = new OwnWrites(database)
  return {
    ...damagedRotations(new RotationStore(own, sealed)),
    ...damagedLinks(database, sealed),
    ...damagedSteps(new RunStore(own, sealed)),
    ...damagedWrites(database, sealed),
  }
}

function damagedRotations(rotations: RotationStore) {
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
  } satisfies Record<string, DamagedTable>
}

/** Which record is a copy of which, and what people chose for references. */
function damagedLinks(database: Database, sealed: SealedJson) {
  const links = new LinkStore(database, sealed)
  const pair = { from: 'f', to: 't' }
  return {
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
  } satisfies Record<string, DamagedTable>
}

function damagedSteps(runs: RunStore) {
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
  return {
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
  } satisfies Record<string, DamagedTable>
}

function damagedWrites(database: Database, sealed: SealedJson) {
  const writes = new SharedWrites({ database, sealed, owner: 'one', onError: (error) => Promise.reject(error) })
  return {
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
  } satisfies Record<string, DamagedTable>
}
