import { pipeTotals, type PipeSize } from '#domain/sizing/pipePrices.ts'
import { inSentence } from '#domain/text/words.ts'
import { perMonth } from './cost.ts'
import { formatScalingValue, type ScalingParameter, type Values } from '../model/scalingParameters.ts'
import { useUnitRate } from '#console/records/scaling/savedRates.ts'
import { Button } from '#console/ui/base/Button.tsx'

interface SuggestionButtonProps {
  connectionId: string
  parameters: readonly ScalingParameter[]
  suggestion: Values
  /** The name of the suggested size: "S". */
  name: string | null
  /** Null if unknown. */
  now: PipeSize | null
  planned: PipeSize | null
  onApply: () => void
}

/** Fills the form with a suggested size and shows its cost. Nothing is sent. */
export function SuggestionButton({
  connectionId,
  parameters,
  suggestion,
  name,
  now,
  planned,
  onApply,
}: SuggestionButtonProps) {
  const rate = useUnitRate(connectionId)
  const suggested = parameters.flatMap(({ field, title, ...parameter }) => {
    const value = suggestion[field]
    return value == null ? [] : [`${inSentence(title)} ${formatScalingValue({ field, title, ...parameter }, value)}`]
  })
  const what = name && !('replicas' in suggestion) ? `size ${name}` : suggested.join(', ')
  const more = now && planned ? pipeTotals(planned, rate).usdPerMonth - pipeTotals(now, rate).usdPerMonth : null
  return (
    <Button onClick={onApply}>
      Try {what}
      {more !== null && ` (${more < 0 ? '−' : '+'}${perMonth(Math.abs(more))} per month)`}
    </Button>
  )
}
