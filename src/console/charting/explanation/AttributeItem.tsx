import { Minus, Plus } from 'lucide-react'
import { useState } from 'react'
import type { ExplainedAttribute } from '#console/charting/explanation/question.ts'
import { CopyButton } from '#console/ui/actions/CopyButton.tsx'
import { Button } from '#console/ui/base/Button.tsx'
import { IconButton } from '#console/ui/base/IconButton.tsx'
import { VisuallyHidden } from '#console/ui/base/VisuallyHidden.tsx'
import * as base from '#console/ui/base/base.module.css'
import type { AttributeValue, Sides } from '#domain/explanation/attributeCounts.ts'
import { formatValue, type Unit } from '#domain/charts/units.ts'
import { counted } from '#domain/text/words.ts'
import { percentText, valueLabel } from './explanationText.ts'
import type { ValueActions } from './useValueActions.ts'
import * as css from './explanation.module.css'

interface AttributeItemProps {
  attribute: ExplainedAttribute
  /** Rows that were compared. */
  totals: Sides<number>
  actions: ValueActions
  /** The unit of an attribute's numbers, by its expression. */
  unitOf: (attribute: string) => Unit
}

/** Values of an attribute that are shown at first. */
const firstValues = 4

/** An attribute with its values, those with the largest difference first. */
export function AttributeItem({ attribute: ranked, totals, actions, unitOf }: AttributeItemProps) {
  const [all, setAll] = useState(false)
  const { attribute, same, divergence, values, others, present, of } = ranked
  const missing = { inside: totals.inside - present.inside, outside: totals.outside - present.outside }
  const unit = unitOf(attribute)
  const isPartial = of === 'present' && missing.inside + missing.outside >= 0.5
  const named = values.filter(({ inside, outside }) => inside + outside > 0)
  const shown = all ? named : named.slice(0, firstValues)
  const shared = { totals: isPartial ? present : totals, attribute, actions, unit }
  return (
    <li className={css.attribute}>
      <div className={css.name}>
        <strong title={attribute}>{attribute}</strong>
        <span>{divergence < 0.01 ? '< 0.01' : divergence.toFixed(2)} bits</span>
      </div>
      {ranked.bySum && <p className={css.note}>By the sum of the values</p>}
      {isPartial && (
        <p className={css.note}>
          Of the rows that have it: {percentText(present.inside / totals.inside)} in the selection,{' '}
          {percentText(present.outside / totals.outside)} in the rest
        </p>
      )}
      {same.length > 0 && <p className={css.note}>The same as {same.join(', ')}</p>}
      <ul>
        {shown.map((count) => (
          <ValueItem key={JSON.stringify(count.value)} {...shared} value={count.value} count={count} />
        ))}
        {others.values > 0 && (all || named.length <= firstValues) && (
          <ValueItem {...shared} value={null} label={counted(others.values, 'rarer value')} count={others} />
        )}
        {!isPartial && missing.inside + missing.outside >= 0.5 && (
          <ValueItem {...shared} value={null} count={missing} />
        )}
      </ul>
      {named.length > firstValues && (
        <Button size="small" aria-expanded={all} onClick={() => setAll(!all)}>
          {all ? 'Show fewer values' : `Show all ${counted(named.length, 'value')}`}
        </Button>
      )}
    </li>
  )
}

interface ValueItemProps extends Omit<AttributeItemProps, 'attribute' | 'unitOf'> {
  attribute: string
  unit: Unit
  /** Null for rows without the attribute, or with one of several values, which have a label. */
  value: AttributeValue | null
  label?: string
  count: Sides<number>
}

function ValueItem({ attribute, value, label, count, totals, actions, unit }: ValueItemProps) {
  const text = label ?? valueLabel(value, unit)
  const shares = {
    inside: totals.inside > 0 ? count.inside / totals.inside : 0,
    outside: totals.outside > 0 ? count.outside / totals.outside : 0,
  }
  const filter = label === undefined ? actions.of(attribute, value) : null
  const title = `${text}: ${formatValue(count.inside)} and ${formatValue(count.outside)} rows`
  return (
    <li className={css.value} data-mode={filter?.mode ?? undefined}>
      {filter ? (
        <button
          type="button"
          className={`${base.plainButton} ${css.label}`}
          title={title}
          disabled={filter.problem !== undefined}
          aria-label={`${actions.verb} ${attribute}: ${text}`}
          aria-pressed={filter.mode === 'in'}
          onClick={() => filter.run('in')}
        >
          {text}
        </button>
      ) : (
        <span className={css.label} title={title}>
          {text}
        </span>
      )}
      <VisuallyHidden>
        {percentText(shares.inside)} in the selection, {percentText(shares.outside)} in the rest
      </VisuallyHidden>
      <div className={css.bars} aria-hidden>
        {(['inside', 'outside'] as const).map((side) => (
          <div key={side} data-side={side}>
            <i style={{ width: `${Math.round(shares[side] * 1000) / 10}%` }} />
            <span>{percentText(shares[side])}</span>
          </div>
        ))}
      </div>
      <span className={css.tools}>
        {filter && (
          <>
            <IconButton
              size="small"
              aria-label={`${actions.verb} ${attribute}: ${text}, keep only these rows`}
              title={filter.problem ?? 'Keep only these rows'}
              disabled={filter.problem !== undefined}
              onClick={() => filter.run('in')}
            >
              <Plus size={13} aria-hidden />
            </IconButton>
            <IconButton
              size="small"
              aria-label={`${actions.verb} ${attribute}: ${text}, leave these rows out`}
              title={filter.problem ?? 'Leave these rows out'}
              disabled={filter.problem !== undefined}
              onClick={() => filter.run('out')}
            >
              <Minus size={13} aria-hidden />
            </IconButton>
          </>
        )}
        {value?.kind === 'text' && <CopyButton text={value.text} label={`Copy ${attribute}`} compact />}
      </span>
    </li>
  )
}
