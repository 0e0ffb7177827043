import { useStore } from '../../shared/store.ts'
import { place } from '../view.ts'
import { DeliveryLog } from './delivery-log.tsx'
import { DeliveryPage } from './delivery-page.tsx'

/** The log of deliveries, or one of them; as the address says. */
export function DeliveriesView() {
  const { delivery, ...query } = useStore(place).query
  return delivery === undefined ? (
    <DeliveryLog query={query} />
  ) : (
    <DeliveryPage key={delivery} id={delivery} back={query} />
  )
}
