import java.net.URI;
import java.net.http.*;
import java.util.*;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

public class Call {
  static final String BASE = "{{base_url}}";
  static final String PROGRAM = "{{program_uid}}";
  static final String KEY =
    "{{hmac_key}}";

  public static void main(String[] args) throws Exception {
    // 1. Sign a refresh token: HS512 over the time and the Program uid
    var iat = System.currentTimeMillis() / 1000;
    var part = "{\"iat\":" + iat + ",\"sub\":\"" + PROGRAM + "\"}";
    var claims = b64("{\"alg\":\"HS512\"}".getBytes()) + "."
      + b64(part.getBytes());
    var mac = Mac.getInstance("HmacSHA512");
    mac.init(new SecretKeySpec(KEY.getBytes("UTF-8"), "HmacSHA512"));
    var signed = claims + "." + b64(mac.doFinal(claims.getBytes()));

    // 2. Exchange it for an access token, valid for 8 hours
    var token = call("POST", "/auth", signed)
      .replaceAll(".*\"token\":\"([^\"]*)\".*", "$1");

    // 3. Call the API with the token as returned
    System.out.println(call("GET", "/customers?limit=5", token));
  }

  // Each request needs a new trace id
  static String call(String method, String path, String authorization)
      throws Exception {
    var request = HttpRequest.newBuilder(URI.create(BASE + path))
      .header("Authorization", authorization)
      .header("x-trace-id", UUID.randomUUID().toString())
      .method(method, HttpRequest.BodyPublishers.noBody()).build();
    return HttpClient.newHttpClient()
      .send(request, HttpResponse.BodyHandlers.ofString()).body();
  }

  static String b64(byte[] bytes) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }
}
