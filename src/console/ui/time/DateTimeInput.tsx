import { lazyComponent } from '#console/ui/base/lazyComponent.tsx'
import css from './DateTimeInput.module.css'
import type { DateTimeInputProps } from './MuiDateTimeInput.tsx'

/** A date and time, typed part by part or chosen in a calendar. Loaded on demand: calendars weigh more than most forms. */
export const DateTimeInput = lazyComponent(
  async () => (await import('./MuiDateTimeInput.tsx')).MuiDateTimeInput,
  // The room that it will take, so that nothing jumps.
  ({ label, hiddenLabel }: DateTimeInputProps) => (
    <div role="group" aria-label={label} aria-busy className={css.outline} data-label={hiddenLabel ? undefined : ''} />
  ),
)
