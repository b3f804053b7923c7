import type { Ref } from 'react'
import { Text } from '#console/ui/base/Text.tsx'
import { lazyComponent } from '#console/ui/base/lazyComponent.tsx'
import { useNearViewport } from '#console/ui/base/useNearViewport.ts'
import * as css from './time.module.css'
import type { DateTimeInputProps } from './MuiDateTimeInput.tsx'

const LoadedInput = lazyComponent(async () => (await import('./MuiDateTimeInput.tsx')).MuiDateTimeInput, Outline)

/**
 * A date and time, typed part by part or chosen in a calendar. Its code weighs more than most forms: it is loaded once
 * the field is near the viewport.
 */
export function DateTimeInput(props: DateTimeInputProps) {
  const [outline, near] = useNearViewport()
  return near ? <LoadedInput {...props} /> : <Outline {...props} outline={outline} />
}

/** Takes the room of the field, so that nothing moves when it is loaded. */
function Outline({ label, hiddenLabel, help, outline }: DateTimeInputProps & { outline?: Ref<HTMLDivElement> }) {
  return (
    <div ref={outline} role="group" aria-label={label} aria-busy>
      <div className={css.dateTimeInputOutline} data-label={hiddenLabel ? undefined : ''} />
      {help && (
        <Text variant="caption" component="p" color="textSecondary" className={css.dateTimeInputHelp}>
          {help}
        </Text>
      )}
    </div>
  )
}
