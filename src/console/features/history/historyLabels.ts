/** Words of the history. */
import type { Change } from '#contract/console/history.ts'
import type { ChipTone } from '#console/ui/StatusChip.tsx'
import { counted } from '#domain/text/words.ts'
import { kindLabel } from '#console/shell/recordKinds.tsx'

export const causeLabels: Record<Change['cause'], string> = {
  console: 'this console',
  outside: 'outside this console',
  promotion: 'promotion',
  restore: 'restore',
  undo: 'undo',
  fileImport: 'import',
}

export const outcomeLabels: Record<Change['outcome'], string> = {
  done: 'done',
  refused: 'refused',
  unknown: 'unknown',
  pending: 'under way',
  found: 'detected',
}

export const outcomeTones: Record<Change['outcome'], ChipTone> = {
  done: 'ok',
  refused: 'bad',
  unknown: 'warn',
  pending: 'accent',
  found: 'warn',
}

/** "alert · 3 fields", "dashboard · created". */
export function changeSummary({ kind, action, fields }: Change): string {
  const what = { created: 'created', deleted: 'deleted', operated: 'state changed', updated: 'changed' }[action]
  const detail = action === 'updated' && fields !== undefined ? counted(fields, 'field') : what
  return `${kindLabel(kind).one} · ${detail}`
}
