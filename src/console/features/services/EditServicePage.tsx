import { confirm } from '#console/shell/messages/confirm.ts'
import { EditRecord } from '#console/records/record/EditRecord.tsx'
import { Notice } from '#console/ui/Notice.tsx'
import type { Service } from '#contract/cloud/services/services.ts'
import { ServiceFields } from './edit/ServiceFields.tsx'
import { riskyChanges, serviceBody, serviceChanges, serviceForm, type ServiceForm } from './edit/serviceForm.ts'
import { accessEntries } from './model/accessList.ts'
import { accessWarnings } from './model/accessWarnings.ts'
import { serviceName } from './model/serviceLabels.ts'
import { serviceReads, serviceResource } from './model/serviceResource.ts'
import { useState } from 'react'

export { serviceReads as reads }

export default function EditServicePage() {
  const [ownAddress, setOwnAddress] = useOwnAddress()
  return (
    <EditRecord
      resource={serviceResource}
      model={serviceForm}
      changesOf={serviceChanges}
      confirmSave={confirmRisks}
      renderNotes={({ access }, { ipAccessList }) =>
        accessWarnings(accessEntries(ipAccessList), access, ownAddress.trim()).map((warning) => (
          <Notice key={warning} tone="warning">
            {warning}
          </Notice>
        ))
      }
    >
      {(form, base) => <ServiceFields form={form} base={base} ownAddress={ownAddress} onOwnAddress={setOwnAddress} />}
    </EditRecord>
  )
}

/** The name is typed where others may lose access. */
async function confirmRisks(form: ServiceForm, base: Service): Promise<boolean> {
  const risks = riskyChanges(serviceBody(form, base, base))
  if (risks.length === 0) return true
  const name = serviceName(base)
  return confirm({
    title: `Save service ${name}?`,
    body: risks.join(' '),
    action: 'Save service',
    danger: true,
    typed: name,
  })
}

/** The entry of the browser's storage with the user's IP address. */
const key = 'stack-console.own-address'

function load(): string {
  try {
    return localStorage.getItem(key) ?? ''
  } catch {
    return ''
  }
}

function useOwnAddress(): [string, (address: string) => void] {
  const [address, setAddress] = useState(load)
  const keep = (next: string) => {
    setAddress(next)
    try {
      localStorage.setItem(key, next)
    } catch {
      // Without local storage, the address lasts until the page is closed.
    }
  }
  return [address, keep]
}
