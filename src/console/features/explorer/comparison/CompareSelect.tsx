import { useEffect, useRef, useState } from 'react'
import { SelectInput } from '#console/ui/SelectInput.tsx'
import { TextInput } from '#console/ui/base/TextInput.tsx'
import { comparisonName, typedOffset } from './comparing.ts'
import * as css from '../explorer.module.css'

interface CompareSelectProps {
  /** See `comparison`. */
  value: string
  onChange: (compare: string) => void
}

const usual = ['previous', '1d', '1w', '4w']

/** With which earlier range the result is compared: a usual one, or any offset. */
export function CompareSelect({ value, onChange }: CompareSelectProps) {
  const [typing, setTyping] = useState(false)
  const known = value === 'off' || usual.includes(value) ? [] : [value]
  return (
    <>
      <SelectInput
        label="Compare"
        hiddenLabel
        value={typing ? 'other' : value}
        shown={typing ? 'Compare: other' : value === 'off' ? 'Compare' : `Compare: ${comparisonName(value)}`}
        options={[
          { value: 'off', label: 'No comparison' },
          ...[...usual, ...known].map((comparison) => ({ value: comparison, label: comparisonName(comparison) })),
          { value: 'other', label: 'Another offset…' },
        ]}
        onChange={(chosen) => {
          setTyping(chosen === 'other')
          if (chosen !== 'other') onChange(chosen)
        }}
        minWidth={110}
      />
      {typing && (
        <OffsetInput
          onTake={(offset) => {
            onChange(offset)
            setTyping(false)
          }}
          onClose={() => setTyping(false)}
        />
      )}
    </>
  )
}

interface OffsetInputProps {
  onTake: (offset: string) => void
  onClose: () => void
}

/** Asks for an offset; it stays until there is one, or Escape is pressed. */
function OffsetInput({ onTake, onClose }: OffsetInputProps) {
  const [text, setText] = useState('')
  const [refused, setRefused] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  // Not `autoFocus`: the menu gives the focus back to its button when it closes.
  useEffect(() => input.current?.focus(), [])
  const offset = typedOffset(text)
  return (
    <TextInput
      ref={input}
      label="Offset of the comparison"
      hiddenLabel
      value={text}
      onChange={(typed) => {
        setText(typed)
        setRefused(false)
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter') {
          if (offset) onTake(offset)
          else setRefused(true)
        }
        if (event.key === 'Escape') onClose()
      }}
      onBlur={() => {
        if (offset) onTake(offset)
        else setRefused(text.trim() !== '')
      }}
      error={refused ? 'Not an offset. Examples: 90m, 12h, 3d, 2w' : undefined}
      placeholder="90m, 12h, 3d, 2w"
      className={css.offset}
    />
  )
}
