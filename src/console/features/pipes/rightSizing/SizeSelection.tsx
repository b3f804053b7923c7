import { useState } from 'react'
import { useConnection } from '#console/shell/connection.tsx'
import { lockReason } from '#console/shell/lockReason.ts'
import { RateInput } from '#console/records/scaling/RateInput.tsx'
import { setServiceRate, useServiceRate } from '#console/records/scaling/savedRates.ts'
import { Button } from '#console/ui/base/Button.tsx'
import { lazyComponent } from '#console/ui/base/lazyComponent.tsx'
import { DisabledReason } from '#console/ui/hint/DisabledReason.tsx'
import { Panel, PanelText } from '#console/ui/layout/Panel.tsx'
import { counted } from '#domain/text/words.ts'
import type { ChangedRow } from './ReviewSizes.tsx'
import { totalOf, type NextSize, type SizingRow } from './sizingRow.ts'
import { SizingTable } from './SizingTable.tsx'
import { differenceText } from './sizingTexts.ts'
import * as css from '../pipes.module.css'

const ReviewSizes = lazyComponent(async () => (await import('./ReviewSizes.tsx')).ReviewSizes)

/** The table, the total of what is selected, and its review. */
export function SizeSelection({ rows }: { rows: readonly SizingRow[] }) {
  const connection = useConnection()
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [reviewed, setReviewed] = useState<readonly ChangedRow[] | null>(null)
  const locked = lockReason(connection)
  const changeable = rows.filter(isChanged)
  const chosen = changeable.filter(({ id }) => selected.has(id))
  const total = totalText(chosen.map(({ next }) => next))
  const reason = locked ?? (chosen.length === 0 ? 'Select a suggested size first.' : undefined)
  return (
    <>
      <Panel
        title="Sizes"
        aside={
          changeable.length === 0
            ? 'no other size is suggested'
            : `${counted(changeable.length, 'other size')} suggested`
        }
        flush
      >
        <SizingTable
          rows={rows}
          selected={selected}
          onSelect={(id, isSelected) => setSelected((before) => withOne(before, id, isSelected))}
          locked={locked}
        />
        <div role="region" aria-label="Selection" className={css.selection}>
          <div aria-live="polite">
            {chosen.length === 0 ? 'Nothing selected' : `${chosen.length} selected`}
            {total && <span className={css.rightSizingTotal}>{total}</span>}
          </div>
          <div className={css.buttons}>
            {changeable.length > 1 && (
              <Button
                disabled={locked !== undefined}
                onClick={() =>
                  setSelected(new Set(chosen.length === changeable.length ? [] : changeable.map(({ id }) => id)))
                }
              >
                {chosen.length === changeable.length ? 'Select none' : 'Select all suggested'}
              </Button>
            )}
            <DisabledReason reason={reason}>
              <Button
                variant="contained"
                color="primary"
                disabled={reason !== undefined}
                onClick={() => setReviewed(chosen)}
              >
                Review changes
              </Button>
            </DisabledReason>
          </div>
        </div>
      </Panel>
      <ServicePrice rows={changeable} />
      {reviewed && (
        <ReviewSizes
          rows={reviewed}
          total={total}
          onEnd={() => setSelected(new Set())}
          onClose={() => setReviewed(null)}
        />
      )}
    </>
  )
}

/** Asks for the price of services where one is missing: no list has it. */
function ServicePrice({ rows }: { rows: readonly ChangedRow[] }) {
  const { id } = useConnection()
  const rate = useServiceRate(id)
  const [wasMissing] = useState(rate === null)
  if (!wasMissing || !rows.some(({ resource }) => resource === 'service')) return null
  return (
    <Panel title="Price of services" flush>
      <PanelText>
        The price depends on provider, region and tier, and the API does not report it. Enter what you pay to see the
        difference per month.
      </PanelText>
      <RateInput
        label="Price of 8 GiB of memory per hour (USD)"
        help="Without storage, backups and data transfer. Saved in this browser for this connection."
        rate={rate}
        onRate={(next) => setServiceRate(id, next)}
      />
    </Panel>
  )
}

const isChanged = (row: SizingRow): row is ChangedRow => row.next !== null

/** "−$120 per month, without 1 service whose price is not entered" */
function totalText(sizes: readonly NextSize[]): string {
  const { difference, unpriced } = totalOf(sizes)
  const known = sizes.length > unpriced ? `${differenceText(difference)} per month` : ''
  const missing =
    unpriced > 0 ? `${known ? 'without ' : ''}${counted(unpriced, 'service')} whose price is not entered` : ''
  return [known, missing].filter(Boolean).join(', ')
}

function withOne(before: ReadonlySet<string>, id: string, isSelected: boolean): ReadonlySet<string> {
  const after = new Set(before)
  if (isSelected) after.add(id)
  else after.delete(id)
  return after
}
