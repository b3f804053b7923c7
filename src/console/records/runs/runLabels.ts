/** Words and colours of runs. */
import type { ChipTone } from '#console/ui/StatusChip.tsx'
import type { Run } from '#contract/console/runs.ts'

export const stateTones: Record<Run['state'], ChipTone> = {
  running: 'accent',
  stopping: 'accent',
  stopped: 'warn',
  interrupted: 'warn',
  failed: 'bad',
  done: 'ok',
}

const titles: Record<Run['kind'], string> = {
  promotion: 'Promotion',
  restore: 'Restore',
  undo: 'Undo',
  fileImport: 'Import',
}

/** "Promotion 41". */
export const runTitle = ({ kind, number }: Pick<Run, 'kind' | 'number'>) => `${titles[kind]} ${number}`
