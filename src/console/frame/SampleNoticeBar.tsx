import type { ComponentProps, ReactNode } from 'react'
import { loadedSamples } from '#console/api/initialState.ts'
import { Button } from '#console/ui/base/Button.tsx'
import { StatusChip } from '#console/ui/StatusChip.tsx'
import { formatValue } from '#domain/charts/units.ts'
import * as css from './frame.module.css'

interface SampleNoticeBarProps {
  text: string
  /** Between the text and the button. */
  progress?: ReactNode
  action?: ReactNode
  /** Takes the place of a notice, and shows nothing. */
  empty?: boolean
}

/** How the notice of sample data is laid out. */
export function SampleNoticeBar({ text, progress, action, empty = false }: SampleNoticeBarProps) {
  return (
    <div {...(empty ? { 'aria-hidden': true } : { role: 'note' })} className={css.sampleNotice} data-empty={empty}>
      <StatusChip tone="accent">Sample data</StatusChip>
      <span className={css.sampleStatus}>{text}</span>
      {progress}
      <div className={css.sampleSpacer} />
      {action}
    </div>
  )
}

export function RemoveSampleButton(props: Omit<ComponentProps<typeof Button>, 'children'>) {
  return (
    <Button aria-label="Remove sample data" {...props}>
      Remove <span className={css.buttonDetail}>sample data</span>
    </Button>
  )
}

export const formatLoadedSample = (records: number) =>
  `Seven days of a demo shop, ${formatValue(records)} records, next to your own telemetry.`

/**
 * Takes the place of the notice while its code and its data are loaded, so that the page does not move: nothing where there
 * was no sample data when the page was loaded.
 */
export function SampleNoticePlace({ connection }: { connection: { id: string } }) {
  if (!loadedSamples.has(connection.id)) return null
  return <SampleNoticeBar empty text={formatLoadedSample(1_000_000)} action={<RemoveSampleButton />} />
}
