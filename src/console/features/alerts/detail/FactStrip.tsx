import { Skeleton } from '#console/ui/base/Skeleton.tsx'
import { visible } from '#console/ui/base/visible.ts'
import { VisuallyHidden } from '#console/ui/base/VisuallyHidden.tsx'
import * as base from '#console/ui/base/base.module.css'
import type { Fact } from './model/facts.ts'
import * as css from './alertDetail.module.css'

/** Facts beside each other, each with its label. */
export function FactStrip({ facts, note }: { facts: readonly Fact[]; note?: string | undefined }) {
  return (
    <section aria-label="Facts" className={base.card}>
      <dl className={css.factStripFacts}>
        {facts.map(({ label, value, tone }) => (
          <div key={label} className={css.fact}>
            <dt>{label}</dt>
            <dd data-tone={tone}>{value === null ? <Reading /> : visible(value)}</dd>
          </div>
        ))}
      </dl>
      {note && <div className={css.factStripNote}>{note}</div>}
    </section>
  )
}

/** The place of a value that is still being read. */
function Reading() {
  return (
    <>
      <Skeleton width={88} />
      <VisuallyHidden>being read</VisuallyHidden>
    </>
  )
}
