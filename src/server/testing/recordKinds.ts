/** Every kind of record for the tests of concurrent saves: its path, and the body of an edit. */
import { randomInt } from 'node:crypto'
import { managedClientOf, pipeInputs } from '#stack/testing/managedClient.ts'
import type { TestStack } from '#stack/testing/testStack.ts'
import { createDashboard, tileAlert } from '#stack/testing/sampleInputs.ts'
import { testConnections } from './gatewayWithStack.ts'

export type Fields = Record<string, unknown>

export interface RecordKind {
  connections: readonly string[]
  /** Makes one. @returns its place behind `/api/c/{connectionId}/` */
  create(stack: TestStack): Promise<Place>
  method: 'PUT' | 'PATCH'
  /** Possible edits, each of another field. @returns the request body */
  edits: readonly ((record: Fields) => Fields)[]
  /** The fields that these edits change. */
  edited(record: Fields): unknown
  /** Set where the answer to a save shows what was there before it; every edit sends all of the record then. */
  answersLate?: boolean
}

export interface Place {
  /** Where the record is read, or the list that holds it. */
  read: string
  /** In a list: its id. */
  id?: string
  /** Where it is saved. */
  write: string
}

let count = 0
/** Never the same twice. */
const word = () => `Name ${++count}`
const pick = <T>(values: readonly T[]): T => values[randomInt(values.length)]!

const openSource = testConnections.openSource
const managed = testConnections.managed
/** Sends the record as it was read, with one field changed. */
const whole = (changes: () => Fields) => (record: Fields) => ({ ...editable(record), ...changes() })
const only = (changes: () => Fields) => () => changes()
const fields =
  (...names: string[]) =>
  (record: Fields) =>
    names.map((name) => record[name] ?? null)

const service = (stack: TestStack) => `organization/services/${stack.identity.serviceId}`
const at = (path: string): Place => ({ read: path, write: path })

/** The managed variant refuses what only it sets. */
const readOnly = ['id', 'teamId', 'state', 'createdAt', 'updatedAt']
const editable = (record: Fields): Fields =>
  Object.fromEntries(Object.entries(record).filter(([name]) => !readOnly.includes(name)))

const alert: Omit<RecordKind, 'connections'> = {
  create: async (stack) => {
    const made = await stack.openSource('POST', '/alerts', tileAlert(stack, await createDashboard(stack)))
    return at(`stack/alerts/${made.json.data.id}`)
  },
  method: 'PUT',
  edits: [
    whole(() => ({ name: word() })),
    whole(() => ({ threshold: randomInt(1e9) })),
    whole(() => ({ message: word() })),
  ],
  edited: fields('name', 'threshold', 'message'),
}

async function plantedPipe(stack: TestStack, kind: keyof typeof pipeInputs = 'kafka'): Promise<string> {
  const id = await managedClientOf(stack).plant(pipeInputs[kind], 'Stopped')
  return `${service(stack)}/datapipes/${id}`
}

const scaling = (record: Fields) => record['scaling'] ?? null

export const recordKinds: Record<string, RecordKind> = {
  alerts: { connections: openSource, ...alert },
  'alerts of a managed deployment': { connections: managed, ...alert },
  dashboards: {
    connections: openSource,
    create: async (stack) => at(`stack/dashboards/${(await createDashboard(stack)).id}`),
    method: 'PUT',
    edits: [
      ({ name, tiles }) => ({ name, tiles, tags: [word()] }),
      ({ tiles }) => ({ name: word(), tiles }),
      ({ name, tiles }) => ({ name, tiles: (tiles as Fields[]).map((tile) => ({ ...tile, name: word() })) }),
    ],
    edited: ({ name, tags, tiles }) => [name, tags, (tiles as Fields[]).map((tile) => tile['name'])],
  },
  sources: {
    connections: openSource,
    create: async (stack) => {
      const path = `/sources/${stack.sourceIds['log']}`
      const { json } = await stack.openSource('GET', path)
      await stack.openSource('PUT', path, { ...json.data, defaultTableSelectExpression: '*' })
      return at(`stack${path}`)
    },
    method: 'PUT',
    edits: [whole(() => ({ name: word() })), whole(() => ({ section: word() }))],
    edited: fields('name', 'section'),
  },
  webhooks: {
    connections: openSource,
    create: async (stack) => {
      const url = 'https://hooks.example/services/a-token-that-nobody-sees'
      const made = await stack.openSource('POST', '/webhooks', { name: word(), service: 'generic', url })
      const { id } = made.json.data
      return { read: 'stack/webhooks', id, write: `stack/webhooks/${id}` }
    },
    method: 'PUT',
    edits: [whole(() => ({ name: word() })), whole(() => ({ description: word() }))],
    edited: fields('name', 'description'),
  },
  services: {
    connections: managed,
    create: async (stack) => at(service(stack)),
    method: 'PATCH',
    edits: [
      only(() => ({ name: word() })),
      only(() => ({ ipAccessList: { add: [{ source: `10.${randomInt(256)}.${randomInt(256)}.${++count % 256}` }] } })),
    ],
    edited: fields('name', 'ipAccessList'),
  },
  'replicas of a service': {
    connections: managed,
    create: async (stack) => ({ read: service(stack), write: `${service(stack)}/replicaScaling` }),
    method: 'PATCH',
    edits: [
      only(() => ({ numReplicas: 1 + randomInt(20) })),
      only(() => ({ idleScaling: true, idleTimeoutMinutes: 5 + randomInt(1000) })),
    ],
    edited: fields('numReplicas', 'idleScaling', 'idleTimeoutMinutes'),
  },
  pipes: {
    connections: managed,
    create: async (stack) => at(await plantedPipe(stack)),
    method: 'PATCH',
    edits: [
      only(() => ({ name: word() })),
      only(() => ({ source: { kafka: { caCertificate: `certificate ${++count}` } } })),
    ],
    edited: fields('name', 'updatedAt'),
  },
  'scaling of a pipe': {
    connections: managed,
    create: async (stack) => {
      const pipe = await plantedPipe(stack)
      return { read: pipe, write: `${pipe}/scaling` }
    },
    method: 'PATCH',
    edits: [
      only(() => ({ replicas: 1 + randomInt(10) })),
      only(() => ({ replicaCpuMillicores: pick([125, 250, 500, 1000, 2000]) })),
    ],
    edited: scaling,
  },
  'settings of a pipe': {
    connections: managed,
    create: async (stack) => at(`${await plantedPipe(stack, 'objectStorage')}/settings`),
    method: 'PUT',
    edits: [
      only(() => ({ object_storage_polling_interval_ms: 1_000 + randomInt(50_000) })),
      only(() => ({ object_storage_max_file_count: 1 + randomInt(5_000) })),
    ],
    edited: (record) => record,
  },
  'size of the database pipes': {
    connections: managed,
    create: async (stack) => {
      await plantedPipe(stack, 'postgres')
      return at(`${service(stack)}/datapipesCdcScaling`)
    },
    method: 'PATCH',
    edits: [
      only(() => {
        const cores = 1 + randomInt(24)
        return { replicaCpuMillicores: cores * 1000, replicaMemoryGb: cores * 4 }
      }),
    ],
    edited: fields('replicaCpuMillicores', 'replicaMemoryGb'),
    answersLate: true,
  },
}
