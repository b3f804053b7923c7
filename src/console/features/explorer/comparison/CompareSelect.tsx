import { useState } from 'react'
import { SelectInput } from '#console/ui/SelectInput.tsx'
import { TextInput } from '#console/ui/base/TextInput.tsx'
import { comparisonName, typedOffset } from './comparing.ts'
import css from './CompareSelect.module.css'

interface CompareSelectProps {
  /** See `comparison`. */
  value: string
  onChange: (compare: string) => void
}

const usual = ['previous', '1d', '1w', '4w']

/** With which earlier range the result is compared: a usual one, or any offset. */
export function CompareSelect({ value, onChange }: CompareSelectProps) {
  const [typing, setTyping] = useState(false)
  const [text, setText] = useState('')
  const offset = typedOffset(text)
  const known = value === 'off' || usual.includes(value) ? [] : [value]
  const take = () => {
    if (offset) onChange(offset)
    setTyping(false)
  }
  return (
    <>
      <SelectInput
        label="Compare"
        hiddenLabel
        value={typing ? 'other' : value}
        shown={typing ? 'Compare: other' : value === 'off' ? 'Compare' : `Compare: ${comparisonName(value)}`}
        options={[
          { value: 'off', label: 'No comparison' },
          ...[...usual, ...known].map((one) => ({ value: one, label: comparisonName(one) })),
          { value: 'other', label: 'Another offset…' },
        ]}
        onChange={(chosen) => {
          setTyping(chosen === 'other')
          if (chosen !== 'other') onChange(chosen)
        }}
        minWidth={110}
      />
      {typing && (
        <TextInput
          label="Offset of the comparison"
          hiddenLabel
          value={text}
          onChange={setText}
          onKeyDown={(event) => {
            if (event.key === 'Enter') take()
            if (event.key === 'Escape') setTyping(false)
          }}
          onBlur={() => offset && take()}
          aria-invalid={text !== '' && !offset}
          placeholder="90m, 12h, 3d, 2w"
          className={css.offset}
        />
      )}
    </>
  )
}
