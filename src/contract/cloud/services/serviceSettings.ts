/** Database settings of a service: docs/DEPLOYMENTS.md#parts-of-a-service. */
import type { LosslessNumber } from 'lossless-json'
import { z } from 'zod'
import { pathId, resource, wireNumber } from '../../wire/kernel.ts'
import { isLossless } from '../../wire/lossyNumbers.ts'

/** A value in its JSON type. Newer deployments return numbers, older ones texts. */
const value = z.union([z.string(), z.number(), z.custom<LosslessNumber>(isLossless)])

const setting = z.looseObject({ name: z.string(), value: value.nullish() })

/** Only what was set. */
const serviceSettingList = z.looseObject({ settings: z.array(setting).nullish() })
export type ServiceSettingList = z.infer<typeof serviceSettingList>

/** A setting that can be set. */
const settingSchema = z.looseObject({
  name: z.string(),
  type: z.string().nullish(),
  description: z.string().nullish(),
  /** The allowed values of a setting of numbers. */
  enum: z.array(z.union([wireNumber, z.string()])).nullish(),
  /** The allowed values of a setting of texts. An extension of the stack: `enum` has numbers only. */
  values: z.array(z.string()).nullish(),
  warning: z.string().nullish(),
  deprecationNotice: z.string().nullish(),
  example: z.string().nullish(),
})
export type SettingSchema = z.infer<typeof settingSchema>

const maxSettingsText = 64 * 1024

/** Valid names of settings. */
export const settingName = /^[a-z]\w{0,127}$/
/** Characters of a value. */
export const maxSettingValue = 4096

const settingValues = z.record(z.string().regex(settingName), z.union([z.string().max(maxSettingValue), z.int()]))
/** Settings by name. */
export type SettingMap = z.output<typeof settingValues>

/** The values of a change, by name; null for a text that is no JSON object of them. */
export function settingsIn(settings: string | SettingMap): SettingMap | null {
  if (typeof settings !== 'string') return settings
  try {
    return settingValues.parse(JSON.parse(settings))
  } catch {
    return null
  }
}

/** An object, `{"settings":{"max_threads":8}}`, or its JSON in a text, as older clients send it. */
const serviceSettingsInput = z.strictObject({
  settings: z
    .union([z.string().max(maxSettingsText), settingValues], 'must be an object of names and values, or its JSON')
    .refine((settings) => settingsIn(settings) !== null, 'must be an object of names and values, or its JSON')
    .refine((settings) => Object.keys(settingsIn(settings) ?? { other: '' }).length > 0, 'must set at least one'),
})

const settingsAnswer = z.looseObject({
  /** In the form of the request. */
  settings: z.union([z.string(), z.record(z.string(), value)]).nullish(),
  warnings: z.array(z.looseObject({ name: z.string(), message: z.string() })).nullish(),
})

const params = z.object({ serviceId: pathId })
const oneParams = z.object({ serviceId: pathId, settingName: pathId })
const ofService = { scope: 'organization', variants: ['managed'], params, unspecified: true } as const
const path = '/services/{serviceId}/dbSettings'

export const serviceSettings = resource('serviceSettings', {
  list: { ...ofService, method: 'GET', path, record: { volatile: [] }, result: serviceSettingList },
  schema: {
    ...ofService,
    method: 'GET',
    path: `${path}/schema`,
    result: z.looseObject({ settings: z.array(settingSchema).nullish() }),
  },
  get: {
    ...ofService,
    method: 'GET',
    path: `${path}/{settingName}`,
    params: oneParams,
    record: { volatile: [] },
    result: setting,
  },
  update: {
    ...ofService,
    method: 'PATCH',
    path,
    body: serviceSettingsInput,
    stored: { at: 'settings', unreturned: [] },
    result: settingsAnswer,
  },
  /** Restores the default. */
  delete: { ...ofService, method: 'DELETE', path: `${path}/{settingName}`, params: oneParams, result: z.unknown() },
})
