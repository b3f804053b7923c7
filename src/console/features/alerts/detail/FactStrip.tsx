import { visible } from '#console/ui/base/visible.ts'
import card from '#console/ui/base/card.module.css'
import type { Fact } from './model/facts.ts'
import css from './FactStrip.module.css'

/** Facts beside each other, each with its label. */
export function FactStrip({ facts, note }: { facts: readonly Fact[]; note?: string | undefined }) {
  return (
    <section aria-label="Facts" className={card.card}>
      <dl className={css.facts}>
        {facts.map(({ label, value, tone }) => (
          <div key={label} className={css.fact}>
            <dt>{label}</dt>
            <dd data-tone={tone}>{visible(value)}</dd>
          </div>
        ))}
      </dl>
      {note && <div className={css.note}>{note}</div>}
    </section>
  )
}
