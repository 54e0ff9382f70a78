import com.sun.net.httpserver.*;
import java.net.InetSocketAddress;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.concurrent.Executors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

public class Receive {
  // The key of the webhook, as UTF-8 bytes
  static final String KEY = "{{hmac_key}}";

  public static void main(String[] args) throws Exception {
    var address = new InetSocketAddress("127.0.0.1", {{port}});
    var server = HttpServer.create(address, 0);
    server.createContext("/", Receive::handle);
    server.setExecutor(Executors.newCachedThreadPool());
    server.start();
    System.out.println("listening");
  }

  static void handle(HttpExchange exchange) throws java.io.IOException {
    // 1. The raw body: parsing it first may change it
    var body = exchange.getRequestBody().readAllBytes();
    var accepted = isSigned(body, exchange.getRequestHeaders());
    // 4. Accept it within 5 seconds; the same event_id may come twice
    if (accepted) System.out.println(
      exchange.getRequestURI() + " " + new String(body, "UTF-8"));
    exchange.sendResponseHeaders(accepted ? 204 : 401, -1);
    exchange.close();
  }

  static boolean isSigned(byte[] body, Headers headers) {
    try {
      // 2. HMAC-SHA256 over the body and the timestamp, in hexadecimal
      var time = headers.getFirst("X-Request-Signature-Timestamp");
      var sent = headers.getFirst("X-Request-Signature-SHA-256");
      var mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(KEY.getBytes("UTF-8"), "HmacSHA256"));
      mac.update(body);
      var expected = mac.doFinal(time.getBytes("UTF-8"));
      var found = HexFormat.of().parseHex(sent);
      // 3. Refuse what is older than 5 minutes: someone may send it again
      var now = System.currentTimeMillis() / 1000;
      return MessageDigest.isEqual(expected, found)
        && Math.abs(now - Long.parseLong(time)) <= 300;
    } catch (Exception missingOrNotHexadecimal) {
      return false;
    }
  }
}
