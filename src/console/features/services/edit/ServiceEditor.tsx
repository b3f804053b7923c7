import { zodResolver } from '@hookform/resolvers/zod'
import Button from '@mui/material/Button'
import { useNavigate } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { curlOf } from '#console/api/curl.ts'
import { paths } from '#console/paths.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { lockReason } from '#console/shell/lockReason.ts'
import { ReviewDialog } from '#console/shell/ReviewDialog.tsx'
import { toast } from '#console/shell/toasts.tsx'
import { changeCount } from '#console/ui/ChangeTable.tsx'
import { FieldGrid } from '#console/ui/form/FieldGrid.tsx'
import { ConflictPanel } from '#console/ui/form/ConflictPanel.tsx'
import { FormPage } from '#console/ui/form/FormPage.tsx'
import { SelectField } from '#console/ui/form/SelectField.tsx'
import { SwitchField } from '#console/ui/form/SwitchField.tsx'
import { TextField } from '#console/ui/form/TextField.tsx'
import { Notice } from '#console/ui/Notice.tsx'
import { Page } from '#console/ui/Page.tsx'
import { Panel } from '#console/ui/Panel.tsx'
import {
  maxServiceName,
  releaseChannelReason,
  releaseChannels,
  services,
  serviceUpdate,
  type Service,
} from '#contract/services.ts'
import { serviceName } from '../words.ts'
import { accessEntries, accessWarnings } from './accessList.ts'
import { AccessListField } from './AccessListField.tsx'
import { useOwnAddress } from './ownAddress.ts'
import { PrivateEndpointsField } from './PrivateEndpointsField.tsx'
import {
  fieldTitles,
  formSchema,
  mergedForm,
  readForm,
  serviceBody,
  serviceChanges,
  theirFields,
  valueWords,
  type ServiceForm,
} from './serviceForm.ts'
import { useSaveService } from './useSaveService.ts'

/** Edits what spec 4.3 lets be changed of a service. Only what changed is sent. */
export function ServiceEditor({ read }: { read: Service }) {
  const connection = useConnection()
  const navigate = useNavigate()
  // The page looks again now and then; the form stays on what it was opened with.
  const [base, setBase] = useState(read)
  const resolver = useMemo(() => zodResolver(formSchema(base)), [base])
  const form = useForm<ServiceForm>({ defaultValues: readForm(base), resolver, mode: 'onTouched' })
  const values = useWatch({ control: form.control, compute: (all: ServiceForm) => all })
  const [reviewed, setReviewed] = useState(false)
  const [own, setOwn] = useOwnAddress()
  const here = paths.service(connection.id, base.id)
  const save = useSaveService({
    form,
    base,
    onSaved: (service) => {
      toast({ tone: 'ok', text: `Service ${serviceName(service)} saved.` })
      void navigate({ to: here, ignoreBlocker: true })
    },
  })
  const changes = serviceChanges(values, base)
  const locked = lockReason(connection)
  const body = serviceUpdate.safeParse(serviceBody(values, base, base))
  const params = { serviceId: base.id }
  const resolve = (theirs: Service, taken: (keyof ServiceForm)[]) => {
    form.reset(mergedForm(form.getValues(), base, theirs, taken))
    setBase(theirs)
    save.clear()
  }
  const send = () => {
    setReviewed(false)
    void save.submit()
  }
  return (
    <Page title={`Edit ${serviceName(base)}`}>
      <FormPage
        onSubmit={send}
        submitLabel="Save service"
        onCancel={() => void navigate({ to: here })}
        loading={save.pending}
        submitError={save.error}
        errorAction={save.unknown && <Button onClick={() => void save.look()}>Look at it now</Button>}
        dirty={changes.length > 0}
        changes={`${changeCount(changes)}${changes.length > 0 ? ' · 2 requests of your budget' : ''}`}
        disabled={
          locked ??
          (save.theirs ? 'Decide about the other version first.' : undefined) ??
          (changes.length === 0 ? 'Nothing was changed yet.' : undefined)
        }
        barActions={
          <Button disabled={changes.length === 0 || save.theirs !== null} onClick={() => setReviewed(true)}>
            Review
          </Button>
        }
      >
        {save.theirs && (
          <ConflictPanel
            thing="service"
            rows={theirFields(values, base, save.theirs)}
            titles={fieldTitles}
            valueWords={valueWords}
            onResolve={(taken) => save.theirs && resolve(save.theirs, taken)}
          />
        )}
        <Panel title="Basics">
          <BasicFields form={form} base={base} locked={locked} />
        </Panel>
        <Panel title="Access list">
          <AccessListField
            form={form}
            base={accessEntries(base.ipAccessList)}
            own={own}
            onOwn={setOwn}
            locked={locked}
          />
        </Panel>
        <Panel title="Private endpoints">
          <PrivateEndpointsField form={form} offered={base.availablePrivateEndpointIds ?? []} locked={locked} />
        </Panel>
      </FormPage>
      {reviewed && (
        <ReviewDialog
          title={`Edit ${serviceName(base)}`}
          changes={changes}
          requests={['read again', 'write']}
          command={body.success ? curlOf(connection, services.update, { params, body: body.data }) : null}
          action="Save service"
          disabled={locked}
          onSend={send}
          onClose={() => setReviewed(false)}
        >
          {accessWarnings(accessEntries(base.ipAccessList), values.access, own.trim()).map((warning) => (
            <Notice key={warning} tone="warning">
              {warning}
            </Notice>
          ))}
        </ReviewDialog>
      )}
    </Page>
  )
}

interface BasicFieldsProps {
  form: ReturnType<typeof useForm<ServiceForm>>
  base: Service
  locked: string | undefined
}

const channelDetails: Record<(typeof releaseChannels)[number], string> = {
  slow: 'new releases later',
  default: 'the regular channel',
  fast: 'new releases at once, with a higher risk of defects',
}

function BasicFields({ form: { control }, base, locked }: BasicFieldsProps) {
  const channelReason = releaseChannelReason(base)
  const encrypts = base.hasTransparentDataEncryption === true
  return (
    <FieldGrid>
      <TextField
        control={control}
        name="name"
        label={fieldTitles.name}
        required
        maxLength={maxServiceName}
        help={`Letters, digits and spaces, at most ${maxServiceName}.`}
        disabled={locked}
      />
      <SelectField
        control={control}
        name="releaseChannel"
        label={fieldTitles.releaseChannel}
        options={releaseChannels.map((value) => ({ value, label: value, detail: channelDetails[value] }))}
        disabled={locked ?? (channelReason === null ? undefined : `Not here: ${channelReason}.`)}
      />
      <SwitchField
        control={control}
        name="mysql"
        label={fieldTitles.mysql}
        help="The other endpoints cannot be switched."
        disabled={locked}
      />
      <TextField
        control={control}
        name="keyId"
        label={fieldTitles.keyId}
        mono
        help="Another id rotates the key."
        disabled={locked ?? (encrypts ? undefined : 'Not here: the service has no transparent data encryption.')}
      />
    </FieldGrid>
  )
}
