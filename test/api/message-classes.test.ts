import { Socket } from 'node:net'
import express from 'express'
import { expect, it } from 'vitest'
import { createMessageClasses } from '../../src/api/http/app.ts'

it('requests and responses are created with the prototypes that Express would give them', () => {
  const app = express()
  const { IncomingMessage, ServerResponse } = createMessageClasses(app)
  const socket = new Socket()
  const req = new IncomingMessage(socket)
  const res = new ServerResponse(req)
  expect(Object.getPrototypeOf(req)).toBe(app.request)
  expect(Object.getPrototypeOf(res)).toBe(app.response)
  expect((req as express.Request).app).toBe(app)
  expect((res as express.Response).app).toBe(app)
  expect(Object.prototype.isPrototypeOf.call(express.request, req)).toBe(true)
  expect(Object.prototype.isPrototypeOf.call(express.response, res)).toBe(true)
  socket.destroy()
})
