import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { PlugZap } from 'lucide-react'
import { useMemo } from 'react'
import { useWatch } from 'react-hook-form'
import { createConnection, testConnectionDraft, updateConnection } from '#console/api/gateway/connectionWrites.ts'
import { formatError } from '#console/api/errors.ts'
import { type ApiFailure, asFailure } from '#console/api/failure.ts'
import { sessionQuery } from '#console/api/session.ts'
import { paths } from '#console/paths/paths.ts'
import { confirm } from '#console/shell/messages/confirm.ts'
import { toast } from '#console/shell/messages/toasts.tsx'
import { applyFieldErrors } from '#console/ui/form/applyFieldErrors.ts'
import { FormPage } from '#console/ui/form/FormPage.tsx'
import { SubmitError } from '#console/ui/form/SubmitError.tsx'
import { useSchemaForm } from '#console/ui/form/useSchemaForm.ts'
import { Panel } from '#console/ui/layout/Panel.tsx'
import type { Connection } from '#contract/console/connections.ts'
import { counted } from '#domain/text/words.ts'
import { ConnectionFields } from './ConnectionFields.tsx'
import {
  changedLabels,
  type ConnectionForm,
  connectionFields,
  connectionSchema,
  formOf,
  inputOf,
  removedProtection,
  newConnection,
} from './connectionForm.ts'
import { TestResult } from './TestResult.tsx'
import { Button } from '#console/ui/base/Button.tsx'
import * as css from './connections.module.css'

/** The panel is at the end of the form: what a test finds would be under its footer. */
const intoView = (outcome: HTMLElement | null) => outcome?.scrollIntoView({ block: 'nearest' })

/** The form of one connection. Without `stored` it makes a new one. */
export function ConnectionEditor({ stored }: { stored?: Connection }) {
  const navigate = useNavigate()
  const { data: session } = useQuery(sessionQuery)
  const before = useMemo(() => (stored ? formOf(stored) : newConnection), [stored])
  const schema = useMemo(() => connectionSchema(stored), [stored])
  const form = useSchemaForm(schema, before)
  const now = useWatch({ control: form.control })
  const changes = changedLabels(before, { ...before, ...now })

  const putOnFields = (failure: ApiFailure) => applyFieldErrors(form, failure.fields ?? [], connectionFields)
  const save = useMutation<Connection, ApiFailure, ConnectionForm>({
    mutationFn: (values) => {
      if (!stored) return createConnection(inputOf(values))
      // Confirmed before the save starts.
      const confirmed = removedProtection(stored, values) === 'production' ? { confirmedName: stored.name } : {}
      return updateConnection(stored.id, { ...inputOf(values), ...confirmed })
    },
    onSuccess: (saved) => {
      toast({ tone: 'ok', text: stored ? `Connection ${saved.name} saved` : `Connection ${saved.name} added` })
      return navigate({ to: paths.connections(), ignoreBlocker: true })
    },
    onError: (failure) => void putOnFields(failure),
  })
  const test = useMutation({
    mutationFn: (values: ConnectionForm) =>
      testConnectionDraft({ ...inputOf(values), ...(stored && { connectionId: stored.id }) }),
    onError: (error) => void putOnFields(asFailure(error)),
  })
  const submit = async (values: ConnectionForm) => {
    const loosened = stored && removedProtection(stored, values)
    if (!loosened || (await confirm(loosenQuestion(stored, loosened)))) save.mutate(values)
  }
  const failed = save.error ?? null
  return (
    <FormPage
      onSubmit={() => void form.handleSubmit(submit)()}
      submitLabel={stored ? 'Save connection' : 'Add connection'}
      onCancel={() => void navigate({ to: paths.connections(), ignoreBlocker: changes.length === 0 })}
      loading={save.isPending}
      submitError={failed && formatError(failed)}
      dirty={changes.length > 0 && !save.isSuccess}
      changes={formatChanges(changes, stored !== undefined)}
      {...(stored && changes.length === 0 && { disabled: 'No changes yet.' })}
    >
      <ConnectionFields form={form} stored={stored} administers={session !== undefined && !session.limited} />
      <Panel
        title="Test"
        aside={
          <Button
            startIcon={<PlugZap size={14} aria-hidden />}
            loading={test.isPending}
            onClick={() => void form.handleSubmit((values) => test.mutate(values))()}
          >
            Test connection
          </Button>
        }
      >
        <div ref={test.data || test.error ? intoView : undefined} className={css.testOutcome}>
          {test.isIdle && 'Checks each feature of the deployment with the values above. Nothing is saved or changed.'}
          {test.data && <TestResult result={test.data} />}
          {test.error && <SubmitError error={formatError(test.error)} />}
        </div>
      </Panel>
    </FormPage>
  )
}

function loosenQuestion(stored: Connection, loosened: 'production' | 'readOnly') {
  const { name } = stored
  if (loosened === 'readOnly') {
    return {
      title: `Allow writes on connection ${name}?`,
      body: 'All users of this console can change and delete its data until it is made read-only again.',
      action: 'Save connection',
      connection: stored,
    }
  }
  return {
    title: `Remove connection ${name} from production?`,
    body: 'The connection will no longer be read-only by default, and deletes will no longer require typing its name.',
    action: 'Save connection',
    danger: true,
    typed: name,
    connection: stored,
  }
}

function formatChanges(changes: string[], editing: boolean): string {
  if (changes.length === 0) return editing ? 'No changes' : 'Stored only on the console’s server'
  if (!editing) return 'Stored only on the console’s server'
  return `${counted(changes.length, 'change')}: ${changes.join(', ').toLowerCase()}`
}
