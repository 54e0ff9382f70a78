// json-server 0.17 on a file, without its request log.
import jsonServer from 'json-server'

const app = jsonServer.create()
app.use(jsonServer.defaults({ logger: false }))
app.use(jsonServer.router(process.argv[2]))
const server = app.listen(0, '127.0.0.1', () => {
  console.log(JSON.stringify({ origin: `http://127.0.0.1:${server.address().port}` }))
})
