import { visibleText } from '#domain/text/visibleText.ts'
import { type KeyboardEvent, useId, useState } from 'react'
import { describedBy, Field, type FieldText } from './base/Field.tsx'
import * as base from '#console/ui/base/base.module.css'
import { lazyComponent } from './base/lazyComponent.tsx'
import * as css from './ui.module.css'

const SelectMenu = lazyComponent(async () => (await import('./SelectMenu.tsx')).SelectMenu)

interface SelectInputProps<Value extends string> extends FieldText {
  value: Value
  options: readonly { value: Value; label: string }[]
  onChange: (value: Value) => void
  /** In the place of the label of the value. */
  shown?: string
  /** Pixels that it must have. */
  minWidth?: number
  className?: string
}

/** A selection from a short list, outside of a form. A value that is not in the list is shown unchanged. */
export function SelectInput<Value extends string>(props: SelectInputProps<Value>) {
  const { value, options, onChange, shown, minWidth, className } = props
  const id = useId()
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  const selected = options.find((option) => option.value === value)
  const all = selected || value === '' ? options : [...options, { value, label: value }]
  const press = (event: KeyboardEvent<HTMLElement>) => {
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
    event.preventDefault()
    setAnchor(event.currentTarget)
  }
  return (
    <Field {...props} id={id} minWidth={minWidth} className={className}>
      <button
        type="button"
        id={id}
        role="combobox"
        aria-haspopup="listbox"
        aria-expanded={anchor !== null}
        aria-controls={anchor ? `${id}-list` : undefined}
        aria-labelledby={`${id}-label ${id}`}
        {...describedBy(id, props)}
        onPointerEnter={SelectMenu.preload}
        onFocus={SelectMenu.preload}
        onClick={(event) => setAnchor(event.currentTarget)}
        onKeyDown={press}
        className={`${base.control} ${css.select}`}
      >
        {visibleText(shown ?? selected?.label ?? value)}
        <svg aria-hidden viewBox="0 0 24 24">
          <path d="M7 10l5 5 5-5z" />
        </svg>
      </button>
      {anchor && (
        <SelectMenu
          anchor={anchor}
          id={id}
          value={value}
          options={all}
          onChoose={(chosen) => {
            setAnchor(null)
            const option = all.find(({ value }) => value === chosen)
            if (option && option.value !== value) onChange(option.value)
          }}
          onClose={() => setAnchor(null)}
        />
      )}
    </Field>
  )
}
