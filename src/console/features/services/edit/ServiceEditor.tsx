import { zodResolver } from '@hookform/resolvers/zod'
import { useNavigate } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { curlOf } from '#console/api/curl.ts'
import { paths } from '#console/paths/paths.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { EditPage } from '#console/shell/record/EditPage.tsx'
import { lockReason } from '#console/shell/lockReason.ts'
import { FieldGrid } from '#console/ui/form/FieldGrid.tsx'
import { SelectField } from '#console/ui/form/SelectField.tsx'
import { SwitchField } from '#console/ui/form/SwitchField.tsx'
import { TextField } from '#console/ui/form/TextField.tsx'
import { Notice } from '#console/ui/Notice.tsx'
import { Panel } from '#console/ui/layout/Panel.tsx'
import {
  maxServiceName,
  releaseChannelReason,
  releaseChannels,
  services,
  serviceUpdate,
  type Service,
} from '#contract/services.ts'
import { serviceName } from '../model/serviceLabels.ts'
import { accessEntries, accessWarnings } from '../model/accessList.ts'
import { AccessListField } from './AccessListField.tsx'
import { useOwnAddress } from './ownAddress.ts'
import { PrivateEndpointsField } from './PrivateEndpointsField.tsx'
import {
  fieldLabels,
  formSchema,
  mergedForm,
  readForm,
  serviceBody,
  serviceChanges,
  theirFields,
  formatValue,
  type ServiceForm,
} from './serviceForm.ts'
import { capitalized } from '#console/ui/format.ts'
import { useSaveService } from './useSaveService.ts'

/** Edits what spec 4.3 lets be changed of a service. Only what changed is sent. */
export function ServiceEditor({ read }: { read: Service }) {
  const connection = useConnection()
  const navigate = useNavigate()
  // The page polls the service; the form keeps the version that it was opened with.
  const [base, setBase] = useState(read)
  const resolver = useMemo(() => zodResolver(formSchema(base)), [base])
  const form = useForm<ServiceForm>({ defaultValues: readForm(base), resolver, mode: 'onTouched' })
  const values = useWatch({ control: form.control, compute: (all: ServiceForm) => all })
  const [ownAddress, setOwn] = useOwnAddress()
  const back = paths.service(connection.id, base.id)
  const save = useSaveService({ form, base, onSaved: () => void navigate({ to: back, ignoreBlocker: true }) })
  const locked = lockReason(connection)
  const body = serviceUpdate.safeParse(serviceBody(values, base, base))
  const params = { serviceId: base.id }
  return (
    <EditPage
      name={serviceName(base)}
      resource="service"
      back={back}
      form={form}
      save={save}
      changes={serviceChanges(values, base)}
      locked={locked}
      command={body.success ? curlOf(connection, services.update, { params, body: body.data }) : null}
      notes={accessWarnings(accessEntries(base.ipAccessList), values.access, ownAddress.trim()).map((warning) => (
        <Notice key={warning} tone="warning">
          {warning}
        </Notice>
      ))}
      conflictOf={(theirs) => theirFields(values, base, theirs)}
      titles={fieldLabels}
      formatValue={formatValue}
      onRebase={(theirs, taken) => {
        form.reset(mergedForm(form.getValues(), base, theirs, taken))
        setBase(theirs)
      }}
    >
      <Panel title="General">
        <BasicFields form={form} base={base} locked={locked} />
      </Panel>
      <Panel title="IP access list">
        <AccessListField
          form={form}
          base={accessEntries(base.ipAccessList)}
          ownAddress={ownAddress}
          onOwnAddress={setOwn}
          locked={locked}
        />
      </Panel>
      <Panel title="Private endpoints">
        <PrivateEndpointsField form={form} offered={base.availablePrivateEndpointIds ?? []} locked={locked} />
      </Panel>
    </EditPage>
  )
}

interface BasicFieldsProps {
  form: ReturnType<typeof useForm<ServiceForm>>
  base: Service
  locked: string | undefined
}

const channelDetails: Record<(typeof releaseChannels)[number], string> = {
  slow: 'receives new releases last',
  default: 'receives new releases on the regular schedule',
  fast: 'receives new releases first, with a higher risk of defects',
}

function BasicFields({ form: { control }, base, locked }: BasicFieldsProps) {
  const channelReason = releaseChannelReason(base)
  const encrypts = base.hasTransparentDataEncryption === true
  return (
    <FieldGrid>
      <TextField
        control={control}
        name="name"
        label={fieldLabels.name}
        required
        maxLength={maxServiceName}
        help={`Letters, digits and spaces, at most ${maxServiceName}.`}
        disabled={locked}
      />
      <SelectField
        control={control}
        name="releaseChannel"
        label={fieldLabels.releaseChannel}
        options={releaseChannels.map((value) => ({ value, label: value, detail: channelDetails[value] }))}
        disabled={locked ?? (channelReason === null ? undefined : `${capitalized(channelReason)}.`)}
      />
      <SwitchField
        control={control}
        name="mysql"
        label={fieldLabels.mysql}
        help="Other endpoints cannot be turned off."
        disabled={locked}
      />
      <TextField
        control={control}
        name="keyId"
        label={fieldLabels.keyId}
        mono
        help="Enter another key ID to rotate the key."
        disabled={locked ?? (encrypts ? undefined : 'Transparent data encryption is not enabled for this service.')}
      />
    </FieldGrid>
  )
}
