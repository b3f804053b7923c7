import { expect, test } from 'vitest'
import { fieldsNotKept } from './warnOfDropped.ts'

const kafka = { brokers: 'b:9092', topics: 'orders', credentials: { username: 'u', password: 'p' } }

test.each<[resource: string, sent: object, stored: object, names: string[]]>([
  [
    'pipes',
    { name: 'Orders', startPaused: true, source: { kafka: { ...kafka, tombstoneMode: 'soft_delete' } } },
    { id: '1', name: 'Orders', source: { kafka: { brokers: 'b:9092', topics: 'orders' } } },
    ['Tombstones'],
  ],
  [
    'pipes',
    {
      source: { postgres: { tableMappingsToAdd: [{ sourceTable: 'a' }] } },
      settings: { streaming_max_insert_wait_ms: 9 },
    },
    { id: '1', source: { postgres: { tableMappings: [{ sourceTable: 'a' }] } } },
    ['settings'],
  ],
  [
    'services',
    {
      name: 'Shop',
      backupId: 'b',
      profile: 'v1-highmem',
      ipAccessList: [{ source: '10.0.0.0/8', description: 'office' }],
    },
    { id: '1', name: 'Shop', ipAccessList: [{ source: '10.0.0.0/8' }] },
    ['profile', 'ipAccessList.0.description'],
  ],
  ['services', { ipAccessList: { add: [{ source: '::1' }] } }, { id: '1', ipAccessList: [{ source: '::1' }] }, []],
  ['apiKeys', { name: 'CI', assignedRoleIds: ['r'], expireAt: '2027-01-01T00:00:00Z' }, { name: 'CI' }, ['expireAt']],
  // Responses about people differ from the bodies that were sent.
  ['invitations', { email: 'a@b.example', role: 'admin' }, { email: 'a@b.example' }, []],
])('names what a deployment did not keep of %s', (resource, sent, stored, names) => {
  expect(fieldsNotKept({ resource, sent, stored, titles: { 'source.kafka.tombstoneMode': 'Tombstones' } })).toEqual(
    names,
  )
})
