/**
 * Row locks in Vendure's database, for all server and worker processes. A lock lasts until the transaction of `ctx` ends.
 * Code that needs both rows locks the order first. SQLite has no row locks and runs with one process: there the queue of
 * payments.js is enough. A caller without a transaction, such as a shop's own script, gets no lock either.
 */
import { Order, Payment } from '@vendure/core'
import { LockNotSupportedOnGivenDriverError, PessimisticLockTransactionRequiredError } from 'typeorm'

/** @import { ID, RequestContext, TransactionalConnection } from '@vendure/core' */
/** @import { SelectQueryBuilder } from 'typeorm' */

/**
 * @template {import('typeorm').ObjectLiteral} T
 * @param {SelectQueryBuilder<T>} query
 * @returns {Promise<T | null>}
 */
const readLocked = async (query) => {
  try {
    return await query.clone().setLock('pessimistic_write').getOne()
  } catch (fault) {
    const isUnavailable =
      fault instanceof LockNotSupportedOnGivenDriverError || fault instanceof PessimisticLockTransactionRequiredError
    if (!isUnavailable) throw fault
    return query.getOne()
  }
}

/** @type {(connection: TransactionalConnection, ctx: RequestContext, id: ID) => Promise<void>} */
export const lockOrder = async (connection, ctx, id) => {
  const orders = connection.getRepository(ctx, Order)
  await readLocked(orders.createQueryBuilder('o').select(['o.id']).where('o.id = :id', { id }))
}

/**
 * The current state of the payment, even if another transaction changed it after this one began.
 *
 * @type {(connection: TransactionalConnection, ctx: RequestContext, where: { id: ID } | { transactionId: string }) => Promise<Payment | null>}
 */
export const lockPayment = (connection, ctx, where) => {
  const query = connection.getRepository(ctx, Payment).createQueryBuilder('p').select(['p.id', 'p.state'])
  return readLocked(
    'id' in where
      ? query.where('p.id = :id', { id: where.id })
      : query.where('p.transactionId = :id', { id: where.transactionId }),
  )
}
