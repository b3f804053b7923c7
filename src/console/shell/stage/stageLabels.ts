/** The word of a stage, and how careful a page is about it. */
import type { ChipTone } from '#console/ui/StatusChip.tsx'
import type { Connection } from '#contract/console/connections.ts'
import type { Stage } from '#contract/console/stages.ts'

export const stageLabels: Record<Stage, string> = {
  production: 'Production',
  staging: 'Staging',
  development: 'Development',
  local: 'Local',
}

/** The colours are those of the line over the frame. */
export const stageTones: Record<Stage, ChipTone> = {
  production: 'bad',
  staging: 'warn',
  development: 'accent',
  local: 'ok',
}

/**
 * The name to type before something is done that destroys more than one record or cannot be undone: on production the
 * connection's. Undefined elsewhere.
 */
export function nameToConfirm(connection: Pick<Connection, 'stage' | 'name'> | undefined): string | undefined {
  return connection?.stage === 'production' ? connection.name : undefined
}
