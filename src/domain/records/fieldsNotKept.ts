import type { Endpoint } from '#contract/kernel.ts'
import { droppedFields } from '../json/droppedFields.ts'

/**
 * The paths of the fields that were sent and are not stored, such as `channels.0.severity`. Deployments respond as if they had kept
 * them.
 * @param result of the write; where it has no record, nothing is known
 */
export function fieldsNotKept({ stored }: Pick<Endpoint, 'stored'>, sent: unknown, result: unknown): string[] {
  const record = stored?.at === undefined ? result : fieldOf(result, stored.at)
  if (!stored || typeof record !== 'object' || record === null) return []
  return droppedFields(sent, record).filter(
    (path) => path !== '' && !path.split('.').some((step) => stored.unreturned.includes(step)),
  )
}

function fieldOf(result: unknown, name: string): unknown {
  return typeof result === 'object' && result !== null
    ? Object.entries(result).find(([key]) => key === name)?.[1]
    : null
}
