import { useState } from 'react'
import { TextInput } from '#console/ui/base/TextInput.tsx'
import { readNumber } from '#console/ui/form/fields/readNumber.ts'
import * as css from '../records.module.css'

interface RateInputProps {
  label: string
  help: string
  /** Null as long as it is not known. */
  rate: number | null
  onRate: (rate: number) => void
}

/** A price that a person enters. What is no price is refused and not kept. */
export function RateInput({ label, help, rate, onRate }: RateInputProps) {
  const [typed, setTyped] = useState<string | null>(null)
  const value = typed === null ? rate : readNumber(typed)
  const isPrice = value !== null && Number.isFinite(value) && value >= 0
  const wrong = typed !== null && !isPrice
  return (
    <div className={css.rateInputRate}>
      <TextInput
        className={css.rateInput}
        label={label}
        value={typed ?? (rate === null ? '' : String(rate))}
        error={wrong ? 'Must be a number of 0 or more.' : undefined}
        help={help}
        onChange={(text) => {
          setTyped(text)
          const next = readNumber(text)
          if (next !== null && Number.isFinite(next) && next >= 0) onRate(next)
        }}
        onBlur={() => !wrong && setTyped(null)}
        inputMode="decimal"
        autoComplete="off"
      />
    </div>
  )
}
