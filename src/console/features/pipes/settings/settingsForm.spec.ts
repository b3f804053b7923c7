import { assert, constantFrom, integer, option, property, record } from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { pipeSettingBounds, pipeSettingsStrict } from '#contract/cloud/pipes/pipeSettings.ts'
import {
  readSettings,
  settingChanges,
  settingsBody,
  settingBounds,
  settingsFor,
  formatSetting,
  settingsSchema,
  unknownSettings,
} from './settingsForm.ts'

const all = settingsFor(null)
const empty = readSettings(all, {})
const takes = (key: string, value: number | null) => settingsSchema(all).safeParse({ ...empty, [key]: value }).success

describe.each(pipeSettingBounds.map((bound) => [bound.field, bound] as const))('%s', (key, bound) => {
  it('accepts its bounds and the default, and nothing beyond', () => {
    expect([bound.min, bound.max, null].map((value) => takes(key, value))).toEqual([true, true, true])
    expect([bound.min - 1, bound.max + 1, bound.min + 0.5, Number.NaN].map((value) => takes(key, value))).toEqual(
      Array(4).fill(false),
    )
  })
})

test('saving without a change sends nothing; unknown keys are kept', () => {
  const stored = { streaming_max_insert_wait_ms: 700, object_storage_use_cluster_function: false, brand_new: 3 }
  expect(settingsBody(all, readSettings(all, stored), stored)).toEqual({})
  expect(unknownSettings(stored)).toEqual([['brand_new', '3']])
})

test('only changes are sent, including zero and off, and the contract accepts them', () => {
  const form = record({
    db_max_threads: option(integer({ min: 0, max: 64 })),
    object_storage_use_cluster_function: constantFrom('default', 'on', 'off'),
  })
  assert(
    property(form, form, (before, now) => {
      const toStored = (one: typeof before) => settingsBody(all, { ...empty, ...one }, {})
      const stored = toStored(before)
      const body = settingsBody(all, { ...empty, ...now }, stored)
      expect(readSettings(all, { ...stored, ...body })).toEqual({ ...empty, ...now })
      expect(pipeSettingsStrict.safeParse(body).success).toBe(true)
      expect(settingChanges(all, body, stored)).toHaveLength(Object.keys(body).length)
    }),
  )
})

test('each source type has its own keys, database pipes have none', () => {
  expect(settingsFor('kafka').map(({ key }) => key)).toEqual([
    'streaming_max_insert_wait_ms',
    'kafka_read_committed',
    'reject_null_values',
  ])
  expect(settingsFor('objectStorage').length).toBeGreaterThan(8)
  expect(settingsFor('postgres')).toEqual([])
})

test('units are singular for 1', () => {
  const [threads] = settingsFor('objectStorage').filter(({ key }) => key === 'db_max_threads')
  expect(threads && [0, 1, 2].map((count) => formatSetting(threads, count))).toEqual([
    '0 threads',
    '1 thread',
    '2 threads',
  ])
})

test('bytes are shown in the largest exact unit', () => {
  const [size] = settingsFor('objectStorage').filter(({ key }) => key === 'object_storage_max_insert_bytes')
  expect(size && [null, 0, 1500, 3 * 2 ** 20, 2 ** 30 + 1, 2 ** 40].map((value) => formatSetting(size, value))).toEqual(
    ['default (10 GiB)', '0 bytes', '1,500 bytes', '3 MiB', '1,073,741,825 bytes', '1,024 GiB'],
  )
  expect(settingBounds('object_storage_max_insert_bytes')).toBe('10 MiB to 50 GiB, in bytes')
  expect(settingBounds('object_storage_max_file_count')).toBe('1 to 10,000 files, whole number')
})
