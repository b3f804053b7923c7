/** The form of a service's database settings: what is set, what is changed, and what is sent. */
import { z } from 'zod'
import type { Change } from '#console/ui/ChangeTable.tsx'
import {
  maxSettingValue,
  settingName,
  type ServiceSettingList,
  type SettingMap,
  type SettingSchema,
} from '#contract/cloud/services/serviceSettings.ts'

export interface SettingRow {
  name: string
  value: string
  /** It gets its default back when the form is saved. */
  reset: boolean
}

export type SettingsForm = { rows: SettingRow[] }

/** Settings by name; those that have their default are left out. */
export type SettingValues = Readonly<Record<string, string>>

export type Schemas = ReadonlyMap<string, SettingSchema>

export function readValues({ settings }: ServiceSettingList): SettingValues {
  return Object.fromEntries((settings ?? []).map(({ name, value }) => [name, String(value ?? '')]))
}

export const rowsOf = (values: SettingValues): SettingRow[] =>
  Object.entries(values).map(([name, value]) => ({ name, value, reset: false }))

/** The settings that the form would leave. */
export const formValues = ({ rows }: SettingsForm): SettingValues =>
  Object.fromEntries(rows.filter(({ reset }) => !reset).map(({ name, value }) => [name, value]))

/** The request body: the values to set, and the names to reset. */
export function settingRequests(form: SettingsForm, before: SettingValues): { set: SettingValues; reset: string[] } {
  const after = formValues(form)
  return {
    set: Object.fromEntries(Object.entries(after).filter(([name, value]) => before[name] !== value)),
    reset: Object.keys(before).filter((name) => !(name in after)),
  }
}

export function settingChanges(form: SettingsForm, before: SettingValues): Change[] {
  const { set, reset } = settingRequests(form, before)
  return [
    ...Object.entries(set).map(([name, value]) => ({ title: name, before: before[name] ?? 'default', after: value })),
    ...reset.map((name) => ({ title: name, before: before[name] ?? '', after: 'default' })),
  ]
}

/** A warning before these settings are changed, from the schema of the service. */
export function settingWarnings(names: readonly string[], schemas: Schemas): string[] {
  return names.flatMap((name) => {
    const { warning, deprecationNotice } = schemas.get(name) ?? {}
    return [warning, deprecationNotice].flatMap((text) => (text ? [`${name}: ${text}`] : []))
  })
}

const numbers: readonly (readonly [type: RegExp, form: RegExp, words: string])[] = [
  [/^(?:UInt\d*|NonZeroUInt\d*)$/i, /^\d{1,20}$/, 'a whole number that is not negative'],
  [/^Int\d*$/i, /^-?\d{1,20}$/, 'a whole number'],
  [/^(?:Float\d*|Double|Seconds|Milliseconds)$/i, /^-?\d+(?:\.\d+)?$/, 'a number'],
]

const isBool = ({ type }: SettingSchema): boolean => /^bool(?:ean)?$/i.test(type ?? '')

/** The choices; empty where any value of the type is valid. */
export const choicesOf = (schema: SettingSchema): string[] =>
  isBool(schema) ? ['0', '1'] : (schema.values ?? schema.enum ?? []).map(String)

/** The body of a change: whole numbers of settings of numbers as numbers, everything else as texts. */
export function settingsBody(set: SettingValues, schemas: Schemas): { settings: SettingMap } {
  const native = ([name, value]: [string, string]): [string, string | number] => {
    const schema = schemas.get(name)
    const isNumber = schema && (isBool(schema) || numbers.some(([type]) => type.test(schema.type ?? '')))
    return [name, isNumber && Number.isSafeInteger(Number(value)) ? Number(value) : value]
  }
  return { settings: Object.fromEntries(Object.entries(set).map(native)) }
}

/** The problem of a value; null if nothing is, and for types that this console does not know. */
export function valueProblem(value: string, schema: SettingSchema | undefined): string | null {
  if (value.trim() === '') return 'Enter a value, or reset the setting'
  if (value.length > maxSettingValue) return `At most ${maxSettingValue} characters`
  if (!schema) return null
  const choices = choicesOf(schema)
  if (choices.length > 0 && !isBool(schema)) {
    return choices.includes(value) ? null : `Must be one of ${choices.join(', ')}`
  }
  if (isBool(schema)) return /^(?:0|1|true|false)$/.test(value) ? null : 'Must be 0 or 1'
  const number = numbers.find(([type]) => type.test(schema.type ?? ''))
  return number && !number[1].test(value) ? `Must be ${number[2]}` : null
}

/** The problem of the name of a setting that is to be added; null if nothing is. */
export function nameProblem(name: string, form: SettingsForm, schemas: Schemas): string | null {
  if (!settingName.test(name)) return `"${name}" is not the name of a setting`
  if (form.rows.some((row) => row.name === name)) return `${name} is in the list`
  return schemas.size > 0 && !schemas.has(name) ? `This service has no setting "${name}"` : null
}

export function settingsSchema(schemas: Schemas): z.ZodType<SettingsForm, SettingsForm> {
  const row = z.object({ name: z.string(), value: z.string(), reset: z.boolean() })
  return z.object({ rows: z.array(row) }).superRefine(({ rows }, context) => {
    for (const [at, { name, value, reset }] of rows.entries()) {
      const problem = reset ? null : valueProblem(value, schemas.get(name))
      if (problem) context.addIssue({ code: 'custom', path: ['rows', at, 'value'], message: problem })
    }
  })
}

/** The form on top of what somebody else saved: own changes stay, except for the settings of `taken`. */
export function rebasedRows(
  form: SettingsForm,
  before: SettingValues,
  theirs: SettingValues,
  taken: readonly string[],
): SettingRow[] {
  const { set, reset } = settingRequests(form, before)
  const kept = { ...theirs, ...Object.fromEntries(Object.entries(set).filter(([name]) => !taken.includes(name))) }
  return rowsOf(kept).map((row) => ({ ...row, reset: reset.includes(row.name) && !taken.includes(row.name) }))
}
