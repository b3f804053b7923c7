import { expect, test } from 'vitest'
import { api } from '#contract/index.ts'
import type { Endpoint } from '#contract/wire/kernel.ts'
import { namesNotKept } from './warnOfFieldsNotKept.ts'

const { alerts, pipes, services, apiKeys, invitations, organizations, serviceSettings } = api
const kafka = { brokers: 'b:9092', topics: 'orders', credentials: { username: 'u', password: 'p' } }

test.each<[what: string, endpoint: Endpoint, sent: object, result: object, names: string[]]>([
  [
    'a new pipe, without what no response has',
    pipes.create,
    { name: 'Orders', startPaused: true, source: { kafka: { ...kafka, tombstoneMode: 'soft_delete' } } },
    { id: '1', name: 'Orders', source: { kafka: { brokers: 'b:9092', topics: 'orders' } } },
    ['Tombstones'],
  ],
  [
    'a pipe',
    pipes.update,
    {
      source: { postgres: { tableMappingsToAdd: [{ sourceTable: 'a' }] } },
      settings: { streaming_max_insert_wait_ms: 9 },
    },
    { id: '1', source: { postgres: { tableMappings: [{ sourceTable: 'a' }] } } },
    ['settings'],
  ],
  [
    'a new service, which is in a field of the response',
    services.create,
    {
      name: 'Shop',
      backupId: 'b',
      profile: 'v1-highmem',
      ipAccessList: [{ source: '10.0.0.0/8', description: 'office' }],
    },
    { password: 'p', service: { id: '1', name: 'Shop', ipAccessList: [{ source: '10.0.0.0/8' }] } },
    ['profile', 'ipAccessList.0.description'],
  ],
  [
    'a change of a list',
    services.update,
    { ipAccessList: { add: [{ source: '::1' }] } },
    { id: '1', ipAccessList: [{ source: '::1' }] },
    [],
  ],
  [
    'an API key',
    apiKeys.create,
    { name: 'CI', assignedRoleIds: ['r'], expireAt: '2027-01-01T00:00:00Z' },
    { key: { name: 'CI' } },
    ['expireAt'],
  ],
  ['an API key whose response has no key', apiKeys.create, { name: 'CI' }, { keyId: 'k' }, []],
  [
    'an organization',
    organizations.update,
    { name: 'A', enableCoreDumps: true },
    { id: 'o', name: 'A' },
    ['enableCoreDumps'],
  ],
  [
    'settings',
    serviceSettings.update,
    { settings: { max_threads: 8, max_memory_usage: 9 } },
    { settings: { max_threads: 8 } },
    ['max_memory_usage'],
  ],
  ['settings that are not returned', serviceSettings.update, { settings: { max_threads: 8 } }, { settings: null }, []],
  [
    'a list whose last entry is removed',
    services.update,
    {
      ipAccessList: { remove: [{ source: '::1' }] },
      privateEndpointIds: { remove: ['p'] },
      tags: { remove: [{ key: 'a' }] },
    },
    { id: '1', ipAccessList: [], privateEndpointIds: [] },
    [],
  ],
  [
    'an organization whose last private endpoint is removed',
    organizations.update,
    { privateEndpoints: { remove: [{ id: 'p' }] } },
    { id: 'o', privateEndpoints: [] },
    [],
  ],
  [
    'endpoints, which are switched by one field and returned by another',
    services.update,
    { endpoints: [{ protocol: 'mysql', enabled: true }] },
    { id: '1', endpoints: [{ protocol: 'mysql', host: 'h', port: 3306 }] },
    [],
  ],
  [
    'an alert, with its channel in another field and an offset without effect',
    alerts.create,
    { name: 'A', channel: { type: 'webhook', webhookId: 'w' }, scheduleOffsetMinutes: 0, threshold: 5 },
    { id: 'a', name: 'A', channels: [{ type: 'webhook', webhookId: 'w' }], threshold: 5 },
    [],
  ],
  [
    'an alert whose channel and offset are lost',
    alerts.create,
    { name: 'A', channels: [{ type: 'webhook', webhookId: 'w', severity: 'high' }], scheduleOffsetMinutes: 3 },
    { id: 'a', name: 'A', channels: [{ type: 'webhook', webhookId: 'w' }] },
    ['channels.0.severity', 'scheduleOffsetMinutes'],
  ],
  [
    'the scaling of a pipe, which a deployment does not report for a while',
    pipes.scaling,
    { replicas: 2, replicaCpuMillicores: 500, replicaMemoryGb: 4, concurrency: null },
    { id: '1', name: 'Orders', scaling: { replicas: 1, replicaCpuMillicores: null } },
    ['replicaMemoryGb'],
  ],
  ['the scaling of a pipe that reports none', pipes.scaling, { replicas: 2 }, { id: '1', scaling: null }, []],
  [
    'the shared size of database pipes',
    pipes.updateCdcScaling,
    { replicaCpuMillicores: 2000, replicaMemoryGb: 8 },
    { replicaCpuMillicores: 1000 },
    ['replicaMemoryGb'],
  ],
  [
    'the scaling of a service, which keeps its size until the new one is in effect',
    services.replicaScaling,
    { autoscalingMode: 'horizontal', minReplicas: 2, maxReplicas: 4, numReplicas: 3, idleScaling: false },
    { id: '1', name: 'Shop', numReplicas: 1, minReplicas: null, idleScaling: true },
    ['autoscalingMode', 'maxReplicas'],
  ],
  // Responses about people differ from the bodies that were sent.
  ['an invitation', invitations.create, { email: 'a@b.example', role: 'admin' }, { email: 'a@b.example' }, []],
])('names what a deployment did not keep of %s', (_, endpoint, sent, result, names) => {
  const titles = { 'source.kafka.tombstoneMode': 'Tombstones' }
  expect(namesNotKept({ endpoint, sent, result, titles })).toEqual(names)
})

/** Their responses have other fields than their bodies. */
const differing = ['members.update', 'invitations.create', 'dataConnections.create', 'dataConnections.update']
const without = ['serviceBackups.create']

test('every creation, update and scaling says where its response has the stored record', () => {
  const writes = Object.values(api).flatMap((resource: Record<string, Endpoint>) =>
    ['create', 'update', 'scaling', 'replicaScaling', 'updateCdcScaling', 'updateSettings'].flatMap(
      (verb) => resource[verb] ?? [],
    ),
  )
  const silent = writes.filter(({ stored }) => !stored).map(({ resource, verb }) => `${resource}.${verb}`)
  expect(silent.toSorted()).toEqual([...differing, ...without].toSorted())
})
