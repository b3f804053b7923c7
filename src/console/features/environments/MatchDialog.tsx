import { useState } from 'react'
import { useMutation } from '@tanstack/react-query'
import { z } from 'zod'
import { matchRecords } from '#console/api/gateway/environments.ts'
import { toastFailure } from '#console/shell/messages/toastFailure.ts'
import { kindLabel } from '#console/shell/recordKinds.tsx'
import { Skeleton } from '#console/ui/base/Skeleton.tsx'
import { Text } from '#console/ui/base/Text.tsx'
import { RadioField } from '#console/ui/form/fields/RadioField.tsx'
import { FormDialog } from '#console/ui/form/FormDialog.tsx'
import { useSchemaForm } from '#console/ui/form/useSchemaForm.ts'
import { SearchInput } from '#console/ui/table/SearchInput.tsx'
import type { ComparedRecordView } from '#contract/console/environments.ts'
import type { Cell, MatrixRow } from './matrixRows.ts'
import type { Environment } from './useEnvironments.ts'
import * as css from './environments.module.css'

/** Records that are listed: a search finds the others. */
const maxShown = 100

interface MatchDialogProps {
  row: MatrixRow
  cell: Cell
  baseline: Environment
  other: Environment
  /** All rows of the comparison of both; undefined until they are read. */
  rows: readonly ComparedRecordView[] | undefined
  onClose: () => void
}

const schema = z.object({ recordId: z.string().min(1) })

/** Says that a record has another name elsewhere. */
export function MatchDialog({ row, cell, baseline, other, rows, onClose }: MatchDialogProps) {
  const [search, setSearch] = useState('')
  const {
    control,
    formState: { isValid },
    handleSubmit,
  } = useSchemaForm(schema, { recordId: '' })
  // The baseline's record stays, if it has one: its counterpart is chosen.
  const isKept = cell.baselineId !== undefined
  const [kept, open] = isKept ? [baseline, other] : [other, baseline]
  const candidates = (rows ?? []).flatMap(({ kind, name, id, baselineId }) => {
    const candidate = isKept ? id : baselineId
    return kind === row.kind && candidate !== undefined ? [{ id: candidate, name }] : []
  })
  const found = candidates.filter(({ name }) => name.toLowerCase().includes(search.trim().toLowerCase()))
  const keptId = isKept ? cell.baselineId : cell.id
  const match = useMutation({
    mutationFn: async (recordId: string) => {
      if (keptId === undefined) return
      await matchRecords({
        kind: row.kind,
        name: row.name,
        records: [
          { connectionId: kept.connection.id, id: keptId },
          { connectionId: open.connection.id, id: recordId },
        ],
      })
    },
    onSuccess: onClose,
    onError: toastFailure,
  })
  return (
    <FormDialog
      title={`What ${row.name} of ${kept.connection.name} is on ${open.connection.name}`}
      action="Match"
      busy={match.isPending}
      disabled={!isValid}
      onSubmit={() => void handleSubmit(({ recordId }) => match.mutate(recordId))()}
      onClose={onClose}
    >
      <Text color="textSecondary">
        Both are compared from now on, whatever they are called. Nothing changes on the connections.
      </Text>
      <SearchInput label="Search records" value={search} onChange={setSearch} />
      <div className={css.records}>
        <RadioField
          control={control}
          name="recordId"
          label="Records"
          hiddenLabel
          options={found.slice(0, maxShown).map(({ id, name }) => ({ value: id, label: name }))}
        />
      </div>
      {found.length > maxShown && (
        <Text color="textSecondary">and {found.length - maxShown} more: search for their names</Text>
      )}
      {!rows && <Skeleton variant="rounded" height={140} width="100%" />}
      {rows && found.length === 0 && (
        <Text color="textSecondary">
          {open.connection.name} has no {kindLabel(row.kind).one} of this name.
        </Text>
      )}
    </FormDialog>
  )
}
