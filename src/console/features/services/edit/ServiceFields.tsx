import { useFieldArray, type UseFormReturn } from 'react-hook-form'
import { useConnection } from '#console/shell/connection.tsx'
import { lockReason } from '#console/shell/lockReason.ts'
import { FieldGrid } from '#console/ui/form/FieldGrid.tsx'
import { SelectField } from '#console/ui/form/fields/SelectField.tsx'
import { SwitchField } from '#console/ui/form/fields/SwitchField.tsx'
import { TextField } from '#console/ui/form/fields/TextField.tsx'
import { capitalized } from '#domain/text/words.ts'
import { Panel } from '#console/ui/layout/Panel.tsx'
import { maxServiceName } from '#contract/cloud/services/serviceNames.ts'
import { releaseChannelReason, releaseChannels, type Service } from '#contract/cloud/services/services.ts'
import { PickField } from '#console/ui/form/fields/PickField.tsx'
import { RowList } from '#console/ui/form/RowList.tsx'
import { accessEntries } from '../model/accessList.ts'
import { AccessListField } from './AccessListField.tsx'
import { fieldLabels, type ServiceForm } from './serviceForm.ts'

interface ServiceFieldsProps {
  form: UseFormReturn<ServiceForm>
  base: Service
  /** The user's IP address. */
  ownAddress: string
  onOwnAddress: (address: string) => void
}

/** The fields of a service that the API can update. */
export function ServiceFields({ form, base, ownAddress, onOwnAddress }: ServiceFieldsProps) {
  const locked = lockReason(useConnection())
  return (
    <>
      <Panel title="General">
        <BasicFields form={form} base={base} locked={locked} />
      </Panel>
      <Panel title="IP access list">
        <AccessListField
          form={form}
          base={accessEntries(base.ipAccessList)}
          ownAddress={ownAddress}
          onOwnAddress={onOwnAddress}
          locked={locked}
        />
      </Panel>
      <Panel title="Private endpoints">
        <PrivateEndpointsField form={form} offered={base.availablePrivateEndpointIds ?? []} locked={locked} />
      </Panel>
    </>
  )
}

interface BasicFieldsProps {
  form: UseFormReturn<ServiceForm>
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
        help={`At most ${maxServiceName} characters.`}
        disabled={locked}
      />
      <SelectField
        control={control}
        name="releaseChannel"
        label={fieldLabels.releaseChannel}
        options={releaseChannels.map((value) => ({ value, label: capitalized(value), detail: channelDetails[value] }))}
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

interface PrivateEndpointsFieldProps {
  form: UseFormReturn<ServiceForm>
  /** The IDs that the deployment offers. */
  offered: readonly string[]
  locked: string | undefined
}

/** The IDs of the attached private endpoints. */
function PrivateEndpointsField({ form, offered, locked }: PrivateEndpointsFieldProps) {
  const { fields, append, remove } = useFieldArray({ control: form.control, name: 'privateEndpoints' })
  return (
    <RowList
      ids={fields.map(({ id }) => id)}
      itemName="Endpoint"
      addLabel="Attach endpoint"
      none="No private endpoints attached."
      nameOf={() => ''}
      template="minmax(0, 1fr)"
      locked={locked}
      onAdd={() => append({ value: '' })}
      onRemove={remove}
      renderRow={(at) => (
        <PickField
          control={form.control}
          name={`privateEndpoints.${at}.value`}
          label={`Endpoint ID ${at + 1}`}
          options={offered.map((value) => ({ value, label: value, detail: 'available' }))}
          placeholder="vpce-…"
          emptyText="No endpoints available. Enter an ID."
          disabled={locked}
        />
      )}
    />
  )
}
