import { emptyService } from './create/newServiceForm.ts'
import { NewService } from './create/NewService.tsx'

export default function NewServicePage() {
  return <NewService start={emptyService} />
}
