/** Database settings of a service: section 6 of the reference on administration. */
import { z } from 'zod'
import { pathId, resource } from './kernel.ts'

const setting = z.looseObject({ name: z.string(), value: z.string().nullish() })

/** Only what was set. */
const serviceSettingList = z.looseObject({ settings: z.array(setting).nullish() })
export type ServiceSettingList = z.infer<typeof serviceSettingList>

/** A setting that can be set. */
const settingSchema = z.looseObject({
  name: z.string(),
  type: z.string().nullish(),
  description: z.string().nullish(),
  enum: z.array(z.string()).nullish(),
  warning: z.string().nullish(),
  deprecationNotice: z.string().nullish(),
  example: z.string().nullish(),
})
export type SettingSchema = z.infer<typeof settingSchema>

const maxSettingsText = 64 * 1024

/** What a setting may be called. */
export const settingName = /^[a-z]\w{0,127}$/
/** Characters of a value. */
export const maxSettingValue = 4096

/** The values in the JSON text of a change, by name; null for another text. */
export function settingsIn(text: string): Record<string, string> | null {
  try {
    return z.record(z.string().regex(settingName), z.string().max(maxSettingValue)).parse(JSON.parse(text))
  } catch {
    return null
  }
}

/** The settings are JSON inside of a text: `{"settings":"{\"max_threads\":\"8\"}"}`. */
const serviceSettingsInput = z.strictObject({
  settings: z
    .string()
    .max(maxSettingsText)
    .refine((text) => settingsIn(text) !== null, 'must be a JSON object of names and texts, as a text')
    .refine((text) => Object.keys(settingsIn(text) ?? { other: '' }).length > 0, 'must set at least one'),
})

const settingsAnswer = z.looseObject({
  settings: z.string().nullish(),
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
  update: { ...ofService, method: 'PATCH', path, body: serviceSettingsInput, result: settingsAnswer },
  /** Restores the default. */
  delete: { ...ofService, method: 'DELETE', path: `${path}/{settingName}`, params: oneParams, result: z.unknown() },
})
