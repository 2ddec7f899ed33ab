/** Whether a request asks for a path that does not exist. The dashboard's page has a route for every path that has no other. */
import type { FastifyRequest } from 'fastify'

export const isUnknownPath = (request: FastifyRequest): boolean => request.is404 || request.routeOptions.url === '/*'
