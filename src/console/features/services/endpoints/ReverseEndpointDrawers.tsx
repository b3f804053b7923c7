/** The forms of reverse private endpoints: a new one, and the DNS names of one. */
import { useState } from 'react'
import { useWatch, type Control } from 'react-hook-form'
import { z } from 'zod'
import { call } from '#console/api/call.ts'
import { formatError } from '#console/api/errors.ts'
import { useApiMutation } from '#console/api/useApiMutation.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { lockReason } from '#console/shell/lockReason.ts'
import { useRecordSave } from '#console/records/record/useRecordSave.ts'
import { toast } from '#console/shell/messages/toasts.tsx'
import { showRefusals } from '#console/records/record/recordForm.ts'
import { Button } from '#console/ui/base/Button.tsx'
import type { ErrorText } from '#console/ui/ErrorState.tsx'
import { FieldGrid } from '#console/ui/form/FieldGrid.tsx'
import { FormDrawer } from '#console/ui/form/FormDrawer.tsx'
import { formatIssue } from '#console/ui/form/formatIssue.ts'
import { NamesField } from '#console/ui/form/fields/NamesField.tsx'
import { SelectField } from '#console/ui/form/fields/SelectField.tsx'
import { TextField } from '#console/ui/form/fields/TextField.tsx'
import { useSchemaForm } from '#console/ui/form/useSchemaForm.ts'
import { sameValue } from '#console/ui/form/values.ts'
import { Notice } from '#console/ui/Notice.tsx'
import {
  mskAuthentications,
  reverseEndpointFields,
  reverseEndpointTypes,
  reverseEndpointUpdate,
  reversePrivateEndpoints,
  type ReverseEndpoint,
} from '#contract/cloud/services/serviceEndpoints.ts'
import {
  customNames,
  emptyEndpoint,
  endpointBody,
  endpointSchema,
  formField,
  hasDnsNames,
  mappingsOf,
  targetFields,
  typeLabels,
  type ReverseEndpointForm,
} from './reverseEndpointForm.ts'

interface DrawerProps {
  serviceId: string
  onClose: () => void
}

const dnsHelp = 'Names that lead to the endpoint inside the service, such as *.db.example.com. Enter ends a name.'

/** Creates a reverse private endpoint. */
export function NewEndpointDrawer({ serviceId, onClose }: DrawerProps) {
  const connection = useConnection()
  const form = useSchemaForm(endpointSchema, emptyEndpoint, { mode: 'onTouched' })
  const { control } = form
  const type = useWatch({ control, name: 'type' })
  const [error, setError] = useState<ErrorText | null>(null)
  const create = useApiMutation(connection.id, reversePrivateEndpoints.create, {
    onSuccess: () => {
      toast({ tone: 'ok', text: 'The reverse private endpoint is being created.' })
      onClose()
    },
    onError: (failure) => {
      const refusals = () =>
        (failure.fields ?? []).map(({ path, message }) => ({ path: formField(path.split('.')), message }))
      setError(showRefusals<ReverseEndpointForm, null>({ titles: emptyTitles, refusals }, form, failure, null))
    },
  })
  const submit = form.handleSubmit((values) => {
    setError(null)
    create.mutate({ params: { serviceId }, body: endpointBody(values) })
  })
  const locked = lockReason(connection)
  return (
    <FormDrawer
      title="New reverse private endpoint"
      onSubmit={() => void submit()}
      submitLabel="Create endpoint"
      onCancel={onClose}
      loading={create.isPending}
      submitError={error}
      dirty={form.formState.isDirty}
      changes={null}
      disabled={locked}
    >
      <FieldGrid columns={1}>
        <TextField control={control} name="description" label="Description" maxLength={255} disabled={locked} />
        <SelectField
          control={control}
          name="type"
          label="Type"
          help="The type and its fields cannot be changed later."
          disabled={locked}
          options={reverseEndpointTypes.map((value) => ({ value, label: typeLabels[value], detail: value }))}
        />
        {reverseEndpointFields[type].map((field) => (
          <TargetField key={field} control={control} field={field} locked={locked} />
        ))}
        {hasDnsNames(type) && (
          <NamesField
            control={control}
            name="dnsNames"
            label="Custom DNS names"
            placeholder="kafka.example.com"
            help={dnsHelp}
            disabled={locked}
          />
        )}
      </FieldGrid>
    </FormDrawer>
  )
}

interface TargetFieldProps {
  control: Control<ReverseEndpointForm>
  field: keyof typeof targetFields
  locked: string | undefined
}

function TargetField({ control, field, locked }: TargetFieldProps) {
  const { label, placeholder } = targetFields[field]
  if (field === 'mskAuthentication') {
    const options = mskAuthentications.map((value) => ({ value, label: value }))
    return <SelectField control={control} name={field} label={label} disabled={locked} options={options} />
  }
  return (
    <TextField control={control} name={field} label={label} placeholder={placeholder} required mono disabled={locked} />
  )
}

const emptyTitles = Object.fromEntries(Object.keys(emptyEndpoint).map((field) => [field, field]))

type DnsForm = { dnsNames: string[] }

const dnsSchema: z.ZodType<DnsForm, DnsForm> = z
  .object({ dnsNames: z.array(z.string()) })
  .superRefine((form, context) => {
    const body = { customPrivateDnsMappings: mappingsOf(form.dnsNames) }
    for (const issue of reverseEndpointUpdate.safeParse(body).error?.issues ?? []) {
      context.addIssue({ code: 'custom', path: ['dnsNames'], message: formatIssue(issue) })
    }
  })

interface DnsDrawerProps extends DrawerProps {
  /** As it was read when the drawer was opened. */
  endpoint: ReverseEndpoint
}

/** Changes the custom DNS names of an endpoint, the only thing that can be changed. */
export function DnsNamesDrawer({ serviceId, endpoint, onClose }: DnsDrawerProps) {
  const connection = useConnection()
  const [base, setBase] = useState(endpoint)
  const before = customNames(base)
  const form = useSchemaForm(dnsSchema, { dnsNames: before }, { mode: 'onTouched' })
  const names = useWatch({ control: form.control, name: 'dnsNames' })
  const params = { serviceId, reverseEndpointId: endpoint.id }
  const save = useRecordSave<ReverseEndpoint>({
    resource: 'reversePrivateEndpoints',
    noun: 'DNS names',
    nameOf: () => `of ${endpoint.description || endpoint.id}`,
    base,
    record: reversePrivateEndpoints.get.result,
    read: () => call(connection.id, reversePrivateEndpoints.get, { params }, { priority: 'readBack' }),
    unchanged: (now) => sameValue(customNames(now), before),
    done: (now) => sameValue(customNames(now), form.getValues('dnsNames')),
    write: (current) => {
      const body = { customPrivateDnsMappings: mappingsOf(form.getValues('dnsNames')) }
      return call(connection.id, reversePrivateEndpoints.update, { params, body }, { base: current })
    },
    onSaved: onClose,
    showFailure: (failure) => {
      const refusals = () =>
        (failure.fields ?? []).map(({ path, message }) => ({ path: formField(path.split('.')), message }))
      if (failure.fields)
        return showRefusals<DnsForm, null>({ titles: { dnsNames: '' }, refusals }, form, failure, null)
      return formatError(failure, location.pathname)
    },
  })
  const { theirs } = save
  const unchanged = sameValue(names, before)
  return (
    <FormDrawer
      title={`DNS names of ${endpoint.description || endpoint.id}`}
      onSubmit={() => void form.handleSubmit(() => save.save())()}
      submitLabel="Save DNS names"
      onCancel={onClose}
      loading={save.pending}
      submitError={save.error}
      errorAction={save.unknown && <Button onClick={() => void save.checkOutcome()}>Check now</Button>}
      dirty={!unchanged}
      changes={unchanged ? 'No changes' : '1 change: DNS names · 2 requests'}
      disabled={
        lockReason(connection) ?? (theirs ? 'Resolve the conflict first.' : unchanged ? 'No changes yet.' : undefined)
      }
    >
      {theirs && (
        <Notice
          tone="warning"
          role="alert"
          action={
            <Button
              onClick={() => {
                setBase(theirs)
                save.clear()
              }}
            >
              Keep mine
            </Button>
          }
        >
          Somebody else changed the names to {customNames(theirs).join(', ') || 'none'}. Nothing was saved.
        </Notice>
      )}
      <FieldGrid columns={1}>
        <NamesField
          control={form.control}
          name="dnsNames"
          label="Custom DNS names"
          placeholder="kafka.example.com"
          help={`${dnsHelp} The list replaces the earlier one.`}
          disabled={lockReason(connection)}
        />
      </FieldGrid>
    </FormDrawer>
  )
}
