import type { LucideIcon } from 'lucide-react'
import { useId } from 'react'
import * as css from './ui.module.css'

interface ChoiceCardsProps<Value extends string> {
  label: string
  /** Empty for none of them. */
  value: Value | ''
  options: readonly { value: Value; label: string; icon: LucideIcon }[]
  onChange: (value: Value) => void
}

/** A selection from a few options that are all in sight, outside of a form. Arrow keys move between them. */
export function ChoiceCards<Value extends string>({ label, value, options, onChange }: ChoiceCardsProps<Value>) {
  const name = useId()
  return (
    <fieldset className={css.choice}>
      <legend className={css.choiceLabel}>{label}</legend>
      <div className={css.choiceCards}>
        {options.map(({ value: offered, label: text, icon: Icon }) => (
          <label key={offered} className={css.choiceCard}>
            <input type="radio" name={name} checked={offered === value} onChange={() => onChange(offered)} />
            <Icon size={16} aria-hidden className={css.choiceIcon} />
            {text}
          </label>
        ))}
      </div>
    </fieldset>
  )
}
