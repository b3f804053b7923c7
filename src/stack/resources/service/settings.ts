/**
 * Database settings of services: stored and returned, and checked by what the engine knows. They do not change it.
 * Accepted are those that people change most.
 */
import type { Handlers } from '#contract/wire/kernel.ts'
import { settingsIn, type serviceSettings, type SettingSchema } from '#contract/cloud/services/serviceSettings.ts'
import { changeService, serviceNow } from '../../documents/serviceRows.ts'
import { InvalidInput, Refusal } from '../../refusal.ts'
import type { StackContext } from '../context.ts'

export const serviceSettingHandlers: Handlers<typeof serviceSettings, StackContext> = {
  async list({ params }, { store }) {
    const { internal } = await serviceNow(store, params.serviceId)
    return { settings: Object.entries(internal?.settings ?? {}).map(([name, value]) => ({ name, value })) }
  },

  async schema({ params }, { store }) {
    await serviceNow(store, params.serviceId)
    return { settings: [...settingSchemas] }
  },

  async get({ params }, { store }) {
    const { internal } = await serviceNow(store, params.serviceId)
    const value = internal?.settings?.[params.settingName]
    if (value === undefined) throw new Refusal(404, params.settingName)
    return { name: params.settingName, value }
  },

  async update({ params, body }, context) {
    const requested = settingsIn(body.settings) ?? {}
    const problems = Object.entries(requested).flatMap(([name, value]) => settingProblem(name, value) ?? [])
    if (problems.length > 0) {
      const issues = problems.map((message) => ({ path: 'settings', message, input: body.settings }))
      throw new InvalidInput([{ part: 'Body', issues }])
    }
    const { internal } = await changeService(context, params.serviceId, (service) => ({
      ...service,
      internal: { ...service.internal, settings: { ...service.internal?.settings, ...requested } },
    }))
    const warnings = settingSchemas.flatMap(({ name, warning }) =>
      warning && name in requested ? [{ name, message: warning }] : [],
    )
    const settings = internal?.settings ?? {}
    return { settings: typeof body.settings === 'string' ? JSON.stringify(settings) : settings, warnings }
  },

  async delete({ params }, context) {
    await changeService(context, params.serviceId, (service) => {
      const { [params.settingName]: _removed, ...settings } = service.internal?.settings ?? {}
      return { ...service, internal: { ...service.internal, settings } }
    })
    return undefined
  },
}

type Known = SettingSchema & { type: 'UInt64' | 'Bool' | 'String' | 'Seconds' }

const settingSchemas: readonly Known[] = [
  { name: 'max_threads', type: 'UInt64', description: 'The most threads of one query.', example: '8' },
  {
    name: 'max_memory_usage',
    type: 'UInt64',
    description: 'The most memory of one query, in bytes. 0 is no limit.',
    example: '10000000000',
    warning: 'Queries that need more memory fail.',
  },
  {
    name: 'max_execution_time',
    type: 'Seconds',
    description: 'The longest time of one query, in seconds. 0 is no limit.',
    example: '60',
    warning: 'Queries that take longer fail.',
  },
  { name: 'max_insert_threads', type: 'UInt64', description: 'The most threads of one INSERT … SELECT.', example: '4' },
  { name: 'max_concurrent_queries', type: 'UInt64', description: 'The most queries at a time.', example: '100' },
  {
    name: 'compatibility',
    type: 'String',
    description: 'The version whose defaults the other settings have.',
    example: '26.2',
    warning: 'Queries may give other results with the defaults of another version.',
  },
  {
    name: 'max_query_size',
    type: 'UInt64',
    description: 'The longest text of one query, in bytes.',
    example: '262144',
  },
  {
    name: 'async_insert',
    type: 'Bool',
    enum: [0, 1],
    description: 'Whether small inserts are collected before they are written.',
  },
  {
    name: 'wait_for_async_insert',
    type: 'Bool',
    enum: [0, 1],
    description: 'Whether an insert waits until the collected rows are written.',
    warning: 'Without waiting, an error after the response is not reported.',
  },
  {
    name: 'join_algorithm',
    type: 'String',
    description: 'How tables are joined.',
    values: ['default', 'direct', 'hash', 'parallel_hash', 'grace_hash', 'full_sorting_merge'],
  },
  {
    name: 'use_query_cache',
    type: 'Bool',
    enum: [0, 1],
    description: 'Whether results of queries are kept and used again.',
  },
  { name: 'max_result_rows', type: 'UInt64', description: 'The most rows of a result. 0 is no limit.' },
  { name: 'max_partitions_per_insert_block', type: 'UInt64', description: 'The most partitions of one insert.' },
]

/** The problem of a setting; null if nothing is. */
function settingProblem(name: string, input: string | number): string | null {
  const value = String(input)
  const known = settingSchemas.find((schema) => schema.name === name)
  if (!known) return `${name} is not a setting of this service`
  if (known.values && !known.values.includes(value)) return `${name} must be one of ${known.values.join(', ')}`
  if (known.type === 'Bool' && !/^(?:0|1|true|false)$/.test(value)) return `${name} must be 0 or 1`
  if ((known.type === 'UInt64' || known.type === 'Seconds') && !/^\d{1,19}$/.test(value)) {
    return `${name} must be a whole number`
  }
  return null
}
