import Button from '@mui/material/Button'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { curlOf } from '#console/api/curl.ts'
import { paths } from '#console/paths.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { ReviewDialog } from '#console/shell/ReviewDialog.tsx'
import { toast } from '#console/shell/toasts.tsx'
import { changeCount } from '#console/ui/ChangeTable.tsx'
import { rebase, theirChanges } from '#console/ui/form/conflict.ts'
import { ConflictPanel } from '#console/ui/form/ConflictPanel.tsx'
import { FormPage } from '#console/ui/form/FormPage.tsx'
import { Notice } from '#console/ui/Notice.tsx'
import { Page } from '#console/ui/Page.tsx'
import { sourceInput, sources, type Source } from '#contract/sources.ts'
import {
  fieldTitles,
  readForm,
  sourceFields,
  valueWords,
  writeBody,
  type SourceField,
  type SourceForm,
} from './sourceForm.ts'
import { SourceFields } from './SourceFields.tsx'
import { useSaveSource } from './useSaveSource.ts'
import { useSourceForm } from './useSourceForm.ts'
import { useSourceLock, useSourceUsers } from './useSources.ts'
import { isUsed, usersWords } from './words.ts'

/** Edits what was read: unknown fields stay, an unchanged save sends nothing, nobody's work is overwritten unseen. */
export function EditSource({ read }: { read: Source }) {
  const connection = useConnection()
  const navigate = useNavigate()
  const [base, setBase] = useState(read)
  const [reviewing, setReviewing] = useState(false)
  const { form, values, changed } = useSourceForm(readForm(base), base)
  const users = useSourceUsers()?.(base.id)
  const here = paths.source(connection.id, base.id)
  const leave = () => navigate({ to: here, ignoreBlocker: true })
  const save = useSaveSource({
    form,
    base,
    onSaved: (source) => {
      toast({ tone: 'ok', text: `Source ${source.name} saved.` })
      void leave()
    },
  })
  const { theirs } = save
  const locked = useSourceLock()

  const resolve = (now: Source, taken: SourceField[]) => {
    const merged = rebase(sourceFields, form.getValues(), readForm(base), readForm(now), taken)
    setBase(now)
    form.reset(readForm(now))
    for (const field of sourceFields) form.setValue(field, merged[field], { shouldDirty: true })
    save.clear()
  }

  const review = form.handleSubmit(() => {
    if (changed.length > 0) return setReviewing(true)
    toast({ tone: 'ok', text: 'Nothing was changed, so nothing was sent.' })
    void leave()
  })

  const before = readForm(base)
  const changes = changed.map((field) => ({
    title: fieldTitles[field],
    before: valueWords(field, before),
    after: valueWords(field, values),
  }))
  return (
    <Page title={`Edit ${base.name}`}>
      <FormPage
        onSubmit={() => void review()}
        submitLabel="Review and save"
        onCancel={() => void navigate({ to: here })}
        loading={save.pending}
        submitError={save.error}
        errorAction={save.unknown && <Button onClick={() => void save.look()}>Look at it now</Button>}
        dirty={changed.length > 0}
        changes={changeCount(changes)}
        disabled={locked ?? (theirs ? 'Decide about the other version first.' : undefined)}
      >
        {theirs && (
          <ConflictPanel
            thing="source"
            rows={theirChanges(sourceFields, values, before, readForm(theirs))}
            titles={fieldTitles}
            valueWords={valueWords}
            onResolve={(taken) => resolve(theirs, taken)}
          />
        )}
        <SourceFields form={form} base={base} />
      </FormPage>
      {reviewing && (
        <ReviewDialog
          title={`Save ${base.name}?`}
          changes={changes}
          requests={requests}
          command={commandOf(connection, values, base)}
          action="Save source"
          disabled={locked}
          onSend={() => {
            setReviewing(false)
            void save.submit()
          }}
          onClose={() => setReviewing(false)}
        >
          {users && isUsed(users) && (
            <Notice tone="info">{usersWords(users)} read from it, and do so with the new values at once.</Notice>
          )}
        </ReviewDialog>
      )}
    </Page>
  )
}

const requests = ['read again', 'write']

function commandOf(connection: ReturnType<typeof useConnection>, form: SourceForm, base: Source): string | null {
  const body = sourceInput.safeParse(writeBody(form, base))
  return body.success ? curlOf(connection, sources.update, { params: { sourceId: base.id }, body: body.data }) : null
}
