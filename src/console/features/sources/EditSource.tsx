import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { call } from '#console/api/call.ts'
import { curlOf } from '#console/api/curl.ts'
import { paths } from '#console/paths.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { EditPage } from '#console/shell/record/EditPage.tsx'
import { useRecordSave } from '#console/shell/record/useRecordSave.ts'
import { rebase, theirChanges } from '#console/ui/form/conflict.ts'
import { Notice } from '#console/ui/Notice.tsx'
import { sourceInput, sources, type Source } from '#contract/sources.ts'
import {
  changedFields,
  fieldTitles,
  readForm,
  sameWritable,
  sourceFields,
  formatValue,
  writeBody,
  type SourceField,
} from './sourceForm.ts'
import { SourceFields } from './SourceFields.tsx'
import { showFailure, useSourceForm } from './useSourceForm.ts'
import { useSourceLock, useSourceUsers } from './useSources.ts'
import { isUsed, formatSourceUsers } from './sourceLabels.ts'

/** Edits what was read: unknown fields stay, an unchanged save sends nothing, nobody's work is overwritten unseen. */
export function EditSource({ read }: { read: Source }) {
  const connection = useConnection()
  const navigate = useNavigate()
  const [base, setBase] = useState(read)
  const before = readForm(base)
  const { form, values, changed } = useSourceForm(before, base)
  const users = useSourceUsers()?.(base.id)
  const params = { sourceId: base.id }
  const back = paths.source(connection.id, base.id)
  const save = useRecordSave<Source>({
    resource: 'sources',
    noun: 'source',
    nameOf: ({ name }) => name,
    base,
    record: sources.get.result,
    read: () => call(connection.id, sources.get, { params }, { priority: 'readBack' }),
    unchanged: (now) => sameWritable(now, base),
    done: (now) => changedFields(form.getValues(), now).length === 0,
    write: async (on) => {
      const body = sourceInput.parse(writeBody(form.getValues(), on))
      return call(connection.id, sources.update, { params, body }, { base: on })
    },
    onSaved: () => void navigate({ to: back, ignoreBlocker: true }),
    showFailure: (failure) => showFailure(form, failure),
  })
  const rebaseOn = (theirs: Source, taken: SourceField[]) => {
    form.reset(rebase(sourceFields, form.getValues(), before, readForm(theirs), taken))
    setBase(theirs)
  }
  const body = sourceInput.safeParse(writeBody(values, base))
  return (
    <EditPage
      name={base.name}
      resource="source"
      back={back}
      form={form}
      save={save}
      changes={changed.map((field) => ({
        title: fieldTitles[field],
        before: formatValue(field, before),
        after: formatValue(field, values),
      }))}
      locked={useSourceLock()}
      command={body.success ? curlOf(connection, sources.update, { params, body: body.data }) : null}
      reviewFirst
      notes={
        users &&
        isUsed(users) && (
          <Notice tone="info">{formatSourceUsers(users)} read from it, and do so with the new values at once.</Notice>
        )
      }
      conflictOf={(theirs) => theirChanges(sourceFields, values, before, readForm(theirs))}
      titles={fieldTitles}
      formatValue={formatValue}
      onRebase={rebaseOn}
    >
      <SourceFields form={form} base={base} />
    </EditPage>
  )
}
