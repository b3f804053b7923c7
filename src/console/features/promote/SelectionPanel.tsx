import { Plus, X } from 'lucide-react'
import { useState } from 'react'
import { KindIcon, kindLabel } from '#console/shell/recordKinds.tsx'
import { TextLink } from '#console/shell/LinkButton.tsx'
import { paths } from '#console/paths/paths.ts'
import { StageChip } from '#console/shell/stage/StageChip.tsx'
import { Button } from '#console/ui/base/Button.tsx'
import { IconButton } from '#console/ui/base/IconButton.tsx'
import { lazyComponent } from '#console/ui/base/lazyComponent.tsx'
import { Text } from '#console/ui/base/Text.tsx'
import { counted } from '#domain/text/words.ts'
import { Panel } from '#console/ui/layout/Panel.tsx'
import { SelectInput } from '#console/ui/SelectInput.tsx'
import { RowCheckbox } from '#console/ui/table/RowCheckbox.tsx'
import type { Connection } from '#contract/console/connections.ts'
import type { PromotionPlan } from '#contract/console/runs.ts'
import type { ChosenRecord } from './promoteState.ts'
import type { OtherConnections } from './targets.ts'
import { alertsOn, type ListedRecord } from './useRecords.ts'
import * as css from './promote.module.css'

const AddRecordsDialog = lazyComponent(async () => (await import('./AddRecordsDialog.tsx')).AddRecordsDialog)

interface SelectionPanelProps {
  connections: readonly Connection[]
  from: Connection | undefined
  others: OtherConnections
  to: readonly string[]
  chosen: readonly ChosenRecord[]
  /** All records of the connection that is copied from. */
  records: readonly ListedRecord[]
  isLoading: boolean
  plan: PromotionPlan | undefined
  onFrom: (connectionId: string) => void
  onTo: (connectionIds: readonly string[]) => void
  onRecords: (records: readonly ChosenRecord[]) => void
}

/** The records to copy, from where, and to where. */
export function SelectionPanel(props: SelectionPanelProps) {
  const { connections, from, others, to, chosen, records, isLoading, plan, onFrom, onTo, onRecords } = props
  const [adding, setAdding] = useState(false)
  const needed = plan?.needed ?? []
  const alerts = alertsOn(chosen, records)
  return (
    <Panel title="Selection" aside={`${chosen.length} chosen, ${needed.length} needed`}>
      <SelectInput
        label="From"
        value={from?.id ?? ''}
        options={connections.map(({ id, name }) => ({ value: id, label: name }))}
        shown={from?.name ?? 'Choose a connection'}
        onChange={onFrom}
      />
      <ChosenRecords chosen={chosen} records={records} isLoading={isLoading} onRecords={onRecords} />
      <div className={css.promoteAdd}>
        <Button
          startIcon={<Plus size={13} aria-hidden />}
          disabled={!from}
          loading={isLoading && from !== undefined}
          onClick={() => setAdding(true)}
        >
          Add records…
        </Button>
        {alerts.length > 0 && (
          <Button
            startIcon={<Plus size={13} aria-hidden />}
            onClick={() => onRecords([...chosen, ...alerts.map(({ kind, id }) => ({ kind, id }))])}
          >
            Add {counted(alerts.length, 'related alert')}
          </Button>
        )}
      </div>
      {needed.length > 0 && (
        <div className={css.needed}>
          <Text>Copied along, because these refer to them: {counted(needed.length, 'record')}</Text>
          <ul className={css.promoteChosen}>
            {needed.map(({ kind, id, name }) => (
              <li key={`${kind}/${id}`}>
                <KindIcon kind={kind} />
                <span className={css.name}>{name}</span>
              </li>
            ))}
          </ul>
        </div>
      )}
      <TargetChoice from={from} others={others} to={to} onTo={onTo} />
      {adding && from && (
        <AddRecordsDialog
          title={`Records of ${from.name}`}
          records={records}
          chosen={new Set(chosen.map(({ kind, id }) => `${kind}/${id}`))}
          onChoose={(picked) => {
            setAdding(false)
            onRecords(picked.map(({ kind, id }) => ({ kind, id })))
          }}
          onClose={() => setAdding(false)}
        />
      )}
    </Panel>
  )
}

function ChosenRecords(props: Pick<SelectionPanelProps, 'chosen' | 'records' | 'isLoading' | 'onRecords'>) {
  const { chosen, records, isLoading, onRecords } = props
  const nameOf = ({ kind, id }: ChosenRecord) =>
    records.find((record) => record.kind === kind && record.id === id)?.name
  return (
    <ul className={css.promoteChosen} aria-label="Chosen records">
      {chosen.map((record) => (
        <li key={`${record.kind}/${record.id}`}>
          <KindIcon kind={record.kind} />
          <span className={css.name}>
            {nameOf(record) ?? (isLoading ? '…' : `A ${kindLabel(record.kind).one} that no longer exists`)}
          </span>
          <IconButton
            aria-label={`Remove ${nameOf(record) ?? record.id}`}
            size="small"
            onClick={() => onRecords(chosen.filter((other) => other !== record))}
          >
            <X size={13} aria-hidden />
          </IconButton>
        </li>
      ))}
    </ul>
  )
}

function TargetChoice({ from, others, to, onTo }: Pick<SelectionPanelProps, 'from' | 'others' | 'to' | 'onTo'>) {
  return (
    <div className={css.targets} role="group" aria-label="To">
      <b>To</b>
      {others.targets.map(({ id, name, stage }) => (
        <span key={id} className={css.promoteTarget}>
          <RowCheckbox
            label={name}
            checked={to.includes(id)}
            onChange={(on) => onTo(on ? [...to, id] : to.filter((other) => other !== id))}
          />
          {name} <StageChip stage={stage} />
        </span>
      ))}
      {from && others.same.length > 0 && (
        <p className={css.promoteMuted}>
          The same deployment as {from.name}, with these records: {others.same.map(({ name }) => name).join(', ')}
        </p>
      )}
      {others.targets.length === 0 && (
        <TextLink to={paths.newConnection()}>Add a connection to another deployment</TextLink>
      )}
    </div>
  )
}
