// scaler ADDRESS: an external scaler of KEDA. The metric and its target are what the trigger's metadata says (metric, target);
// it is always active, and its value is its target.
package main

import (
	"context"
	"log"
	"net"
	"os"
	"strconv"

	pb "github.com/kedacore/keda/v2/pkg/scalers/externalscaler"
	"google.golang.org/grpc"
)

type scaler struct {
	pb.UnimplementedExternalScalerServer
}

func (scaler) IsActive(context.Context, *pb.ScaledObjectRef) (*pb.IsActiveResponse, error) {
	return &pb.IsActiveResponse{Result: true}, nil
}

func (scaler) StreamIsActive(_ *pb.ScaledObjectRef, stream pb.ExternalScaler_StreamIsActiveServer) error {
	if err := stream.Send(&pb.IsActiveResponse{Result: true}); err != nil {
		return err
	}
	<-stream.Context().Done()
	return nil
}

func (scaler) GetMetricSpec(_ context.Context, object *pb.ScaledObjectRef) (*pb.GetMetricSpecResponse, error) {
	target, err := strconv.ParseFloat(object.ScalerMetadata["target"], 64)
	spec := &pb.MetricSpec{MetricName: object.ScalerMetadata["metric"], TargetSizeFloat: target}
	return &pb.GetMetricSpecResponse{MetricSpecs: []*pb.MetricSpec{spec}}, err
}

func (scaler) GetMetrics(_ context.Context, request *pb.GetMetricsRequest) (*pb.GetMetricsResponse, error) {
	target, err := strconv.ParseFloat(request.ScaledObjectRef.ScalerMetadata["target"], 64)
	value := &pb.MetricValue{MetricName: request.MetricName, MetricValueFloat: target}
	return &pb.GetMetricsResponse{MetricValues: []*pb.MetricValue{value}}, err
}

func main() {
	listener, err := net.Listen("tcp", os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	server := grpc.NewServer()
	pb.RegisterExternalScalerServer(server, scaler{})
	log.Fatal(server.Serve(listener))
}
