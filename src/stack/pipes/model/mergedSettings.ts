/** The stored settings of a pipe: only those that were set. */
import type { PipeSettings } from '#contract/cloud/pipes/pipeSettings.ts'

/** Keys that are left out stay. Null restores the default. */
export function merged(settings: PipeSettings, change: PipeSettings): PipeSettings {
  return Object.fromEntries(Object.entries({ ...settings, ...change }).filter(([, value]) => value !== null))
}
