/** The settings of one pipe: stored values, form and request body. A PUT merges, so only changes are sent. */
import { z } from 'zod'
import { boundSchema, formatBound } from '#contract/cloud/bounds.ts'
import type { Change } from '#console/ui/ChangeTable.tsx'
import {
  pipeSettingBounds,
  pipeSettingTable,
  type PipeSetting,
  type PipeSettings,
} from '#contract/cloud/pipes/pipeSettings.ts'
import type { PipeKind } from '#contract/cloud/pipeKinds.ts'
import { formatExactBytes } from '#domain/charts/amounts.ts'
import { formatValue } from '#domain/charts/units.ts'

/** Number or null for integers; 'default', 'on' or 'off' for booleans. */
export type SettingsForm = Record<string, number | null | string>

/** The settings of a source type. All settings for an unknown one. */
export function settingsFor(kind: PipeKind | null): readonly PipeSetting[] {
  const all: readonly PipeSetting[] = pipeSettingTable
  return kind === null ? all : all.filter(({ kinds }) => kinds.includes(kind))
}

export function readSettings(settings: readonly PipeSetting[], stored: PipeSettings): SettingsForm {
  return Object.fromEntries(
    settings.map(({ key, type }) => {
      const value = stored[key] ?? null
      if (type === 'boolean') return [key, value === true ? 'on' : value === false ? 'off' : 'default']
      return [key, typeof value === 'number' ? value : null]
    }),
  )
}

/** The request body: the keys that differ. Null restores the default. */
export function settingsBody(settings: readonly PipeSetting[], form: SettingsForm, stored: PipeSettings) {
  const before = readSettings(settings, stored)
  return Object.fromEntries(
    settings.flatMap(({ key, type }): [string, number | boolean | null][] => {
      const value = form[key] ?? null
      if (Object.is(value, before[key])) return []
      if (type === 'boolean') return [[key, value === 'default' ? null : value === 'on']]
      return [[key, typeof value === 'number' ? value : null]]
    }),
  )
}

export function settingChanges(
  settings: readonly PipeSetting[],
  body: Record<string, number | boolean | null>,
  stored: PipeSettings,
): Change[] {
  return settings.flatMap((setting) => {
    const value = body[setting.key]
    if (value === undefined) return []
    return [
      {
        title: setting.key,
        before: formatSetting(setting, stored[setting.key]),
        after: Number.isNaN(value) ? 'not a number' : formatSetting(setting, value),
      },
    ]
  })
}

/** A form value as text. */
export function formatFormValue(settings: readonly PipeSetting[], key: string, form: SettingsForm): string {
  const setting = settings.find((pipeSetting) => pipeSetting.key === key)
  const value = form[key]
  if (!setting) return String(value)
  if (setting.type !== 'boolean') return formatSetting(setting, value)
  return formatSetting(setting, value === 'default' ? null : value === 'on')
}

/** `5,000 ms`, `1 thread`, `on`, `default (5,000 ms)`. */
export function formatSetting(setting: PipeSetting, value: unknown): string {
  if (value === null || value === undefined) {
    return setting.default === null ? 'default' : `default (${formatSetting(setting, setting.default)})`
  }
  if (typeof value === 'boolean') return value ? 'on' : 'off'
  if (typeof value === 'number') return formatNumberWithUnit(value, setting.unit)
  return String(value)
}

function formatNumberWithUnit(value: number, unit: string | undefined): string {
  if (unit === 'bytes') return formatExactBytes(value)
  return [formatValue(value), unitOf(unit, value)].filter(Boolean).join(' ')
}

/** "1 thread", "2 threads", "1 ms". */
const unitOf = (unit: string | undefined, value: number) =>
  value === 1 && unit !== 'ms' ? unit?.replace(/s$/, '') : unit

/** The bounds as text: `500 to 60000 ms, whole number`, `10 MiB to 50 GiB, in bytes`. */
export function settingBounds(key: string): string {
  const bound = pipeSettingBounds.find(({ field }) => field === key)
  if (!bound) return ''
  return bound.unit === 'bytes'
    ? `${formatExactBytes(bound.min)} to ${formatExactBytes(bound.max)}, in bytes`
    : formatBound(bound)
}

/** The contract's bounds as a form schema. */
export function settingsSchema(settings: readonly PipeSetting[]) {
  return z.custom<SettingsForm>().superRefine((form, context) => {
    for (const { key, type } of settings) {
      const bound = pipeSettingBounds.find(({ field }) => field === key)
      if (type !== 'integer' || !bound || boundSchema(bound).safeParse(form[key] ?? null).success) continue
      context.addIssue({ code: 'custom', path: [key], message: `Must be ${settingBounds(key)}.` })
    }
  })
}

/** Settings that the console does not know. They are shown but never sent. */
export function unknownSettings(stored: PipeSettings): [string, string][] {
  const known = new Set<string>(pipeSettingTable.map(({ key }) => key))
  return Object.entries(stored).flatMap(([key, value]) =>
    known.has(key) || value === null ? [] : [[key, String(value)]],
  )
}
