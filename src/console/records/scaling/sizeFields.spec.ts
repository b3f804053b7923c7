import { expect, test } from 'vitest'
import { formatFieldValue, formatPath } from '../runs/fieldPath.ts'
import { formatSizeValue } from './sizeFields.ts'

test.each([
  ['minReplicaMemoryGb', 8, 'Minimum memory per replica', '8 GiB'],
  ['numReplicas', 3, 'Replicas', '3'],
  ['idleScaling', false, 'Automatic idling', 'no'],
  ['idleTimeoutMinutes', 15, 'Idle timeout', '15 min'],
  ['autoscalingMode', 'vertical', 'Scaling mode', 'vertical'],
  ['replicaCpuMillicores', 125, 'CPU per replica', '0.125 vCPU'],
  ['replicaMemoryGb', 0.5, 'Memory per replica', '0.5 GiB'],
  ['concurrency', 0, 'Concurrency', '0 (automatic)'],
])('a plan says %s as the page of sizes does', (field, value, title, text) => {
  expect(formatPath([field])).toBe(title)
  expect(formatFieldValue(value, [field])).toBe(text)
  expect(formatSizeValue(field, value)).toBe(text)
  expect(formatPath(['scaling', field])).toBe(`scaling › ${title}`)
})

test('other fields keep their names and values, and what is not known is empty', () => {
  expect(formatPath(['tiles', { id: 'a' }, 'config', 'where'])).toBe('tiles › a › config › where')
  expect(formatPath(['toString'])).toBe('toString')
  expect(formatFieldValue(5, ['threshold'])).toBe('5')
  expect(formatFieldValue(['a'], ['tags'])).toBe('["a"]')
  expect([undefined, null, Number.NaN].map((value) => formatSizeValue('replicas', value))).toEqual([
    '',
    '',
    'not a number',
  ])
})
